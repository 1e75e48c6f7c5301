import { PrivateKey, PublicKey, Signature } from '@firn/keys'
import { type Store, Writer } from '@firn/store'
import { type InventedLedger, inventedLedger, Recordings } from '@firn/store/testing'

/** Addresses to query, each with its number of transactions. */
export const OWNERS = [1, 1_000, 100_000].map((matches) => ({
  matches,
  address: new Uint8Array(20).fill(matches.toString().length),
}))

const KEY = new Uint8Array(32).fill(7)
/** Address that owns all outputs on the X-chain. */
export const AVM_OWNER = PublicKey.address(PrivateKey.publicKey(KEY))

const BLOCKS_A_BATCH = 500

/**
 * Fills an empty store with the given number of P-chain transactions, and with 1% of that number on the
 * X-chain.
 */
export async function fill(store: Store, transactions: number): Promise<void> {
  await store.migrate()
  const recording = Recordings.load('local')
  const { writer, state } = await Writer.open(store, recording.genesis, recording.constants)
  const options: InventedLedger = {
    transactions,
    owners: OWNERS.map(({ matches, address }) => ({
      address,
      every: Math.max(1, Math.floor(transactions / matches)),
    })),
    avmTransactions: Math.ceil(transactions / 100),
    avmOwner: AVM_OWNER,
    sign: (unsigned) => Signature.signMessage(unsigned, KEY),
  }
  const blocks = inventedLedger(recording, state, options)[Symbol.iterator]()
  let writing = Promise.resolve()
  for (;;) {
    const batch = [...take(blocks, BLOCKS_A_BATCH)]
    await writing
    if (batch.length === 0) return
    writing = writer.commit(batch)
  }
}

function* take<T>(items: Iterator<T>, count: number): Iterable<T> {
  for (let i = 0; i < count; i++) {
    const { value, done } = items.next()
    if (done === true) return
    yield value
  }
}
