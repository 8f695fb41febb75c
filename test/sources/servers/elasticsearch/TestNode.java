/* One node of Elasticsearch on loopback: TestNode HOME HTTP_PORT TRANSPORT_PORT. In its package, for what is not public. */
package org.elasticsearch.node;

import java.util.List;
import java.util.Map;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.plugins.MockPluginsService;
import org.elasticsearch.plugins.PluginsLoader;
import org.elasticsearch.plugins.PluginsService;
import org.elasticsearch.transport.netty4.Netty4Plugin;

public class TestNode {
  static class Services extends NodeServiceProvider {
    @Override
    PluginsService newPluginService(Environment environment, PluginsLoader loader) {
      return new MockPluginsService(environment.settings(), environment, List.of(Netty4Plugin.class));
    }
  }

  public static void main(String[] args) throws Exception {
    Settings settings = Settings.builder()
      .put("path.home", args[0])
      .put("cluster.name", "yolofs-test")
      .put("node.name", "test")
      .put("network.host", "127.0.0.1")
      .put("http.port", args[1])
      .put("transport.port", args[2])
      .put("discovery.type", "single-node")
      .put("transport.type", "netty4")
      .put("http.type", "netty4")
      .put("cluster.routing.allocation.disk.threshold_enabled", false)
      .build();
    LogConfigurator.configureESLogging();
    Environment environment = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "test");
    new Node(NodeConstruction.prepareConstruction(environment, null, new Services(), true)).start();
    Thread.currentThread().join();
  }
}
