/** On a server that speaks Chroma's protocol. */
import { startProtocolServer } from '../servers/chroma-protocol.ts';
import { chromaWorld } from './chroma-world.ts';
import { conformance } from './conformance.ts';

conformance(
  'chroma (protocol server)',
  async () => {
    const server = await startProtocolServer();
    return chromaWorld(server.url, server.stop);
  },
  { keepsAcl: true },
);
