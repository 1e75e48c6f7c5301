import { Ledger, LedgerState } from '@firn/ledger'
import { TestPostgres } from '@firn/sql/testing'
import { Container } from '@firn/txs'
import type { Accepted } from './Accepted.ts'
import type { Store } from './Store.ts'
import * as Stores from './Store.ts'
import { longChain } from './testing/longChain.ts'
import { openPGlite } from './testing/pglite.ts'
import { load, type Recorded } from './testing/recordings.ts'
import { Writer } from './Writer.ts'

const BLOCKS = Number(process.env['FIRN_BENCH_BLOCKS'] ?? 50_000)
const BATCH = Number(process.env['FIRN_BENCH_BATCH'] ?? 500)
const RECORDING = load('local')

interface Times {
  decode: number
  apply: number
  /**
   * Time in milliseconds that the loop waits for the previous batch to be stored. Decoding and applying run
   * in parallel with the database and are not included.
   */
  write: number
}

/**
 * Prints how many blocks per second are decoded and stored. Each batch is written while the next one is
 * decoded and applied.
 */
export async function report(print: (text: string) => void): Promise<void> {
  const chain = [...longChain(RECORDING, BLOCKS)]
  print(
    `${BLOCKS} P-chain blocks, each with one transaction of two inputs and two outputs, in batches of ${BATCH}`,
  )
  const pglite = await openPGlite()
  print(await measure('PGlite in memory', pglite, chain))
  await pglite.close()
  const reason = TestPostgres.missing()
  if (reason !== undefined) return print(`PostgreSQL: ${reason}`)
  const server = await TestPostgres.startForBench(['shared_buffers=512MB', 'max_wal_size=4GB'])
  const store = await Stores.Store.open({ url: server.url })
  print(await measure('PostgreSQL', store, chain))
  await store.close()
  await server.close()
}

async function measure(name: string, store: Store, chain: readonly Recorded[]): Promise<string> {
  await store.migrate()
  const { writer, state } = await Writer.open(store, RECORDING.genesis, RECORDING.constants)
  const times: Times = { decode: 0, apply: 0, write: 0 }
  const cpu = process.cpuUsage()
  const start = performance.now()
  let writing = Promise.resolve()
  for (let i = 0; i < chain.length; i += BATCH) {
    const batch = accept(state, chain.slice(i, i + BATCH), times)
    const waiting = performance.now()
    await writing
    times.write += performance.now() - waiting
    writing = writer.commit(batch)
  }
  await writing
  const seconds = (performance.now() - start) / 1000
  const parts = Object.entries(times).map(
    ([part, time]) => `${part} ${((time * 1000) / chain.length).toFixed(0)}`,
  )
  const { user, system } = process.cpuUsage(cpu)
  const own = ((user + system) / chain.length).toFixed(0)
  const memory = (process.memoryUsage().rss / 2 ** 20).toFixed(0)
  const rate = (chain.length / seconds).toFixed(0)
  return `${name}: ${rate} blocks/s; µs per block: ${parts.join(', ')}; CPU time of this process ${own}; ${memory} MiB`
}

function accept(state: LedgerState.LedgerState, blocks: readonly Recorded[], times: Times): Accepted[] {
  return blocks.map((block) => {
    const start = performance.now()
    const opened = Container.open(block.container?.bytes ?? block.bytes)
    const decoded = performance.now()
    const changes = Ledger.apply(state, 'P', opened.block)
    LedgerState.commit(state, changes)
    times.decode += decoded - start
    times.apply += performance.now() - decoded
    return { ...block, bytes: opened.block, changes }
  })
}
