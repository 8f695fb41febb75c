/* One node of OpenSearch on loopback: TestNode HOME HTTP_PORT TRANSPORT_PORT */
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

public class TestNode extends Node {
  TestNode(Settings settings) {
    super(InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "test"), List.of(Netty4Plugin.class), false);
  }

  public static void main(String[] args) throws Exception {
    Settings settings = Settings.builder()
      .put("path.home", args[0])
      .put("cluster.name", "yolofs-test")
      .put("network.host", "127.0.0.1")
      .put("http.port", args[1])
      .put("transport.port", args[2])
      .put("discovery.type", "single-node")
      .put("cluster.routing.allocation.disk.threshold_enabled", false)
      .build();
    new TestNode(settings).start();
    Thread.currentThread().join();
  }
}
