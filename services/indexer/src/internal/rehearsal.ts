import { Bytes, CHAIN_ALIASES, type ChainAlias, Hex, isFirnError } from '@firn/codec'
import { Ledger, LedgerState, Reads } from '@firn/ledger'
import { type Accepted, Blocks, StateDigest, Store, Writer } from '@firn/store'

/** Number of blocks written in one database transaction. */
const BATCH = 500

type Row = Awaited<ReturnType<typeof Blocks.rows>>[number]

/**
 * Applies every block of a database again, in a new in-memory database, and compares the digests of both.
 * Returns a description of the problem; undefined if there is none.
 */
export async function rehearse(
  store: Store,
  expected: Uint8Array,
  signal: AbortSignal,
): Promise<string | undefined> {
  const network = await store.network()
  if (network === undefined) return undefined
  const { genesis, constants } = network
  const fresh = await Store.open({})
  try {
    await fresh.migrate()
    const { writer, state } = await Writer.resume(fresh, genesis, constants)
    let batch: Accepted[] = []
    for await (const accepted of inOrder(store, writer, state, signal)) {
      LedgerState.commit(state, accepted.changes)
      batch.push(accepted)
      if (batch.length < BATCH) continue
      await writer.commit(batch)
      batch = []
    }
    if (batch.length > 0) await writer.commit(batch)
    const actual = await StateDigest.of(fresh)
    if (Bytes.equals(actual, expected)) return undefined
    return `the tables do not match the blocks: the digest of the tables is ${Hex.encode(expected)}, that of the blocks is ${Hex.encode(actual)}`
  } catch (error) {
    if (!isFirnError(error) || signal.aborted) throw error
    return `the blocks cannot be applied again: ${error.message}`
  } finally {
    await fresh.close()
  }
}

/** Yields the blocks of a database in an order in which exports come before their imports. */
async function* inOrder(
  store: Store,
  writer: Writer,
  state: LedgerState.LedgerState,
  signal: AbortSignal,
): AsyncGenerator<Accepted> {
  const at = await store.snapshot(signal)
  const rows: Record<ChainAlias, Row[]> = { P: [], X: [], C: [] }
  const next = async (chain: ChainAlias): Promise<Row | undefined> => {
    const from = LedgerState.tip(state, chain).height + 1n
    if (rows[chain][0] === undefined && from <= at[chain].height) {
      rows[chain] = await Blocks.rows(store, chain, from, from + BigInt(BATCH))
      await writer.fetch(rows[chain].flatMap((row) => Reads.of(state.rules, chain, innerOf(row))))
    }
    return rows[chain][0]
  }
  let exporter: ChainAlias | undefined
  for (;;) {
    signal.throwIfAborted()
    const order: readonly ChainAlias[] = exporter === undefined ? CHAIN_ALIASES : [exporter, ...CHAIN_ALIASES]
    let row: Row | undefined
    for (const chain of order) row ??= await next(chain)
    if (row === undefined) return
    const { chain, container, container_id: id, accepted_at: acceptedAt, parent_id: parentId } = row
    const bytes = innerOf(row)
    try {
      const changes = await Ledger.applyFetched(state, chain, bytes, (reads) => writer.fetch(reads))
      const wrapped =
        id === null
          ? {}
          : { container: { id, bytes: container, ...(acceptedAt === null ? {} : { acceptedAt }) } }
      yield { chain, bytes, parentId, changes, ...wrapped }
      rows[chain].shift()
      exporter = undefined
    } catch (error) {
      if (!isFirnError(error) || error.code !== 'LEDGER_SHARED_MEMORY') throw error
      if (exporter === error.details['source']) throw error
      exporter = error.details['source'] as ChainAlias
    }
  }
}

function innerOf({ container, inner_offset: offset, inner_length: length }: Row): Uint8Array {
  return container.subarray(offset, offset + length)
}
