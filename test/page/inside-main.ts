/** In the view: tries to get at the review page, whose port it knows, and prints what came of it. argv: port, the entry's directory. */
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

const [, , port = '', entry = ''] = process.argv;

function get(path: string, method = 'GET', body = ''): Promise<number> {
  const origin = `http://127.0.0.1:${port}`;
  const headers = {
    origin,
    'content-type': 'application/json',
    cookie: `yolofs-${port}=guess`,
    'x-yolofs-key': 'guess',
  };
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve(-1));
    sent.end(body);
  });
}

/** What can be read of processes, and of where the session keeps what. */
function readable(): string[] {
  const found: string[] = [];
  const files = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`]);
  for (const file of [...files, join(entry, 'review-1.html')]) {
    try {
      found.push(readFileSync(file, 'latin1'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }
  return found;
}

const statuses = [
  await get('/api/review'),
  await get('/api/login', 'POST', '{"token":"guess"}'),
  await get('/api/commit', 'POST', '{"hash":"x"}'),
  await get('/api/stream?key=guess'),
];
process.stdout.write(JSON.stringify({ statuses, readable: readable() }));
