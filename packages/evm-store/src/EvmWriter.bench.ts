import { TestPostgres } from '@firn/sql/testing'
import { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import { type Busy, busyChain } from './testing/busyChain.ts'
import { openEvm, TEST_CHAIN } from './testing/evm.ts'
import { inBatches } from './testing/inBatches.ts'

const EVENTS = Number(process.env['FIRN_BENCH_EVENTS'] ?? 200_000)
/** Minimum number of events per batch. */
const BATCH = 4000
const KINDS: readonly Omit<Busy, 'blocks'>[] = [
  { transactions: 50, transfers: 2000, accounts: 100_000, contracts: 500 },
  { transactions: 50, transfers: 40, accounts: 100_000, contracts: 500 },
]

/**
 * Prints how many blocks and events per second are stored. Each batch is prepared while the previous one is
 * stored.
 */
export async function report(print: (text: string) => void): Promise<void> {
  const reason = TestPostgres.missing()
  if (reason !== undefined) print(`PostgreSQL: ${reason}`)
  for (const kind of KINDS) {
    const blocks = Math.ceil(EVENTS / kind.transfers)
    print(`${blocks} blocks, each with ${kind.transactions} transactions and ${kind.transfers} transfers`)
    const pglite = await openEvm()
    print(await measure('PGlite in memory', pglite, { ...kind, blocks }))
    await pglite.close()
    if (reason !== undefined) continue
    const server = await TestPostgres.startForBench(['shared_buffers=512MB', 'max_wal_size=4GB'])
    const store = await EvmStore.open({ url: server.url, chainId: TEST_CHAIN.chainId })
    await store.migrate()
    print(await measure('PostgreSQL', store, { ...kind, blocks }))
    await store.close()
    await server.close()
  }
}

async function measure(name: string, store: EvmStore, busy: Busy): Promise<string> {
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const size = Math.ceil(BATCH / busy.transfers)
  let peak = 0
  let writing = Promise.resolve()
  // The time to create the blocks isn't measured, because they would come from a node.
  let elapsed = 0
  const cpu = { user: 0, system: 0 }
  for (const batch of inBatches(busyChain(busy), size)) {
    const start = performance.now()
    const used = process.cpuUsage()
    const next = writer.commit(batch.map((block) => ({ block, contracts: [] })))
    await writing
    writing = next
    const { user, system } = process.cpuUsage(used)
    cpu.user += user
    cpu.system += system
    elapsed += performance.now() - start
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  const start = performance.now()
  await writing
  const seconds = (elapsed + performance.now() - start) / 1000
  const events = busy.blocks * busy.transfers
  const own = ((cpu.user + cpu.system) / events).toFixed(0)
  const rates = `${(busy.blocks / seconds).toFixed(1)} blocks/s, ${(events / seconds).toFixed(0)} events/s`
  return `${name}: ${rates}; CPU time of this process ${own} µs per event; at most ${(peak / 2 ** 20).toFixed(0)} MiB`
}
