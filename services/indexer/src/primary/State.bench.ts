import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TestPostgres } from '@firn/sql/testing'
import { Store, Writer } from '@firn/store'
import { fillUtxos, Recordings } from '@firn/store/testing'

/** Number of made-up live UTXOs. Neither memory use nor the time to start should depend on it. */
const UTXOS = Number(process.env['FIRN_BENCH_UTXOS'] ?? 100_000)
/** Number of blocks, each of which spends two of the UTXOs. */
const BLOCKS = Number(process.env['FIRN_BENCH_BLOCKS'] ?? 10_000)
/** An empty database to fill, or one that an earlier run filled with as many UTXOs. */
const URL_OF_DATABASE = process.env['FIRN_BENCH_DATABASE_URL']
const CHILD = fileURLToPath(new URL('../testing/stateChild.ts', import.meta.url))

/** Prints how an indexer starts and runs on a large state in PostgreSQL. The indexer is a separate process. */
export async function report(print: (text: string) => void): Promise<void> {
  const reason = URL_OF_DATABASE === undefined ? TestPostgres.missing() : undefined
  if (reason !== undefined) return print(`PostgreSQL: ${reason}`)
  const server =
    URL_OF_DATABASE === undefined
      ? await TestPostgres.startForBench(['shared_buffers=512MB', 'max_wal_size=4GB'])
      : undefined
  const url = URL_OF_DATABASE ?? (server as TestPostgres.Server).url
  try {
    await fill(url, print)
    const args = ['--conditions=source', CHILD, url, `${UTXOS}`, `${BLOCKS}`]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    print(`${UTXOS} UTXOs in PostgreSQL: ${stdout}`)
  } finally {
    await server?.close()
  }
}

async function fill(url: string, print: (text: string) => void): Promise<void> {
  const store = await Store.open({ url })
  await store.migrate()
  if ((await store.network()) === undefined) {
    const { genesis, constants } = Recordings.load('local')
    await Writer.open(store, genesis, constants)
    const since = performance.now()
    await fillUtxos(store, UTXOS, genesis.avaxAssetId)
    print(`made ${UTXOS} UTXOs in ${((performance.now() - since) / 1000).toFixed(0)} s`)
  }
  await store.close()
}
