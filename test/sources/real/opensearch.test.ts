/** A real node of OpenSearch. */
import { provesNode } from './java-node.ts';

provesNode({ node: 'opensearch', kind: 'opensearch', hasWildcard: true });
