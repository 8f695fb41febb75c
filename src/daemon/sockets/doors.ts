/** The session's sockets, by who comes in: programs in the view, clients on the host, launchers. */
import type { Layout } from '../../history/layout.ts';
import { type LineSocket, type Listener, listenAt } from '../../sys/socket.ts';
import { serveConnection } from './control.ts';
import { type GuestHost, MOST_GUESTS, serveGuest } from './guest.ts';
import { LaunchServer, MOST_LAUNCHERS } from './launch-server.ts';

export class Doors {
  readonly #layout: Layout;
  readonly #listeners: Listener[] = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  async openToGuests(from: Omit<GuestHost, 'layout'>): Promise<void> {
    const host = { layout: this.#layout, ...from };
    await this.#open(this.#layout.guestSocket, (socket) => serveGuest(socket, host), MOST_GUESTS);
  }

  async openToClients(admit: Parameters<typeof serveConnection>[1]): Promise<void> {
    await this.#open(this.#layout.socket, (socket) => serveConnection(socket, admit));
  }

  async openToLaunchers(): Promise<void> {
    const server = new LaunchServer(this.#layout);
    await this.#open(this.#layout.launchSocket, (socket) => server.serve(socket), MOST_LAUNCHERS);
  }

  close(): void {
    for (const listener of this.#listeners) listener.close();
  }

  async #open(path: string, serve: (socket: LineSocket) => void, most?: number): Promise<void> {
    this.#listeners.push(await listenAt(path, serve, most));
  }
}
