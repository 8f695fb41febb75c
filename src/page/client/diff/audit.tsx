/** Who wrote a file, with which command: the latest first. */
import type { VNode } from 'preact';
import type { AuditReply } from '../../protocol.ts';
import { Failed } from '../parts/failed.tsx';
import { useLoaded } from '../state/load.ts';
import { Shown } from '../text/shown.tsx';
import { when } from '../text/words.ts';

export function Audit({ id }: { readonly id: string }): VNode {
  const { reply, failure } = useLoaded<AuditReply>(id, 'audit', { id });
  if (failure !== undefined) return <Failed failure={failure} />;
  if (reply === undefined) return <p>…</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the keys
    <section class="audit" aria-label="Who wrote this" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">when</th>
            <th scope="col">what</th>
            <th scope="col">command</th>
            <th scope="col">process</th>
          </tr>
        </thead>
        <tbody>
          {reply.records.map(({ time, generation, what, command, process, pid }, index) => (
            <tr key={`${time} ${index}`}>
              <td title={`in snapshot ${generation}`}>{when(time)}</td>
              <td>
                <Shown text={what} />
              </td>
              <td class="code">
                <Shown text={command ?? ''} />
              </td>
              <td class="code">
                <Shown text={process === undefined ? '' : `${process} ${pid ?? ''}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
