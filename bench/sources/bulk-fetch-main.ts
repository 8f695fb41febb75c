/** `bulk-fetch-main.js URL COLLECTION COUNT`: how many milliseconds one request for the first documents of a collection takes, as text in memory. */
const [url = '', collection = '', count = ''] = process.argv.slice(2);
const at = `${url}/api/v2/tenants/default_tenant/databases/default_database/collections`;

// The connection is there then.
const { id } = (await (await fetch(`${at}/${collection}`)).json()) as { id: string };
const begun = performance.now();
const response = await fetch(`${at}/${id}/get`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ limit: Number(count), include: ['documents'] }),
});
const { documents } = (await response.json()) as { documents: readonly string[] };
const took = performance.now() - begun;
if (documents.length !== Number(count)) throw new Error(`${documents.length} documents instead of ${count}`);
process.stdout.write(String(took));
