/** An order to a session's daemon that may take its time. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Session } from '../../support/session.ts';

/** The line that answers it, after those that tell how it gets on. */
export function order(s: Session, request: object): Promise<string> {
  return new Promise((done, reject) => {
    const socket = connect(s.layout.socket);
    socket.on('error', reject);
    createInterface({ input: socket })
      .on('line', (line) => {
        if (line.startsWith('{"progress"')) return;
        done(line);
        socket.end();
      })
      .on('close', () => reject(new Error('hung up without an answer')));
    socket.write(`${JSON.stringify(request)}\n`);
  });
}
