/** On Chroma's own server. */
import { startChroma } from '../servers/chroma.ts';
import { chromaWorld } from './chroma-world.ts';
import { conformance } from './conformance.ts';

conformance('chroma', async () => {
  const server = await startChroma();
  return chromaWorld(server.url, server.stop);
});
