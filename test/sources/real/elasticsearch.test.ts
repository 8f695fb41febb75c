/** A real node of Elasticsearch, as far as it is in Maven: without the wildcard type. */
import { provesNode } from './java-node.ts';

provesNode({ node: 'elasticsearch', kind: 'elastic', hasWildcard: false });
