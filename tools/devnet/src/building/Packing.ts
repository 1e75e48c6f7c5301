import { type ChainAlias, type FirnError, isFirnError } from '@firn/codec'
import { assertValid, type Building, type Candidate } from './Building.ts'
import type * as Mempool from './Mempool.ts'

/**
 * Maximum size of a block's transactions in bytes. Sources: avalanchego's targets of 128 KiB on the P- and X-chain, and of
 * 40 KiB for the atomic transactions of a block of the C-chain before Helicon.
 */
const MAX_BYTES: Readonly<Record<ChainAlias, number>> = { P: 131_072, X: 131_072, C: 40_960 }
/** Maximum number of transactions in a block, because each of them is tried on top of the previous ones. */
const MAX_TXS = 64
/** Error code of a transaction, or of transactions together, that need more gas than the chain has now. */
const NO_GAS = 'TXS_CAPACITY'

/** Makes the block of some transactions. Throws if they do not fit together. */
type Attempt<C extends ChainAlias> = (entries: readonly Mempool.Entry<C>[]) => Candidate

/**
 * Returns the block of as many waiting transactions as fit, in order; undefined if there is none. Drops transactions
 * that no block can contain any longer.
 */
export function pack<C extends ChainAlias>(
  building: Building,
  chain: C,
  nowMs: number,
  attempt: Attempt<C>,
): Candidate | undefined {
  const mempool = building.mempools[chain]
  const valid: Mempool.Entry<C>[] = []
  let size = 0
  for (const entry of mempool.entries() as Iterable<Mempool.Entry<C>>) {
    size += entry.bytes.length
    if (valid.length >= MAX_TXS || (valid.length > 0 && size > MAX_BYTES[chain])) break
    const error = isFinal(chain, entry)
      ? undefined
      : errorOf(() => assertValid(building, chain, entry, nowMs))
    if (error?.code === NO_GAS) break
    if (error === undefined) valid.push(entry)
    else mempool.drop(entry.id, error.message)
  }
  return fit(mempool, valid, attempt)
}

/** Returns the block of as many of the given transactions as fit together, and drops those that conflict with others. */
function fit<C extends ChainAlias>(
  mempool: Pick<Mempool.Mempool, 'drop'>,
  entries: readonly Mempool.Entry<C>[],
  attempt: Attempt<C>,
): Candidate | undefined {
  const [first] = entries
  if (first === undefined) return undefined
  let best: Candidate | undefined
  const error = errorOf(() => {
    best = attempt(entries)
  })
  if (error === undefined) return best
  // The gas of the next seconds suffices for the rest.
  if (error.code === NO_GAS) return fit(mempool, entries.slice(0, Math.floor(entries.length / 2)), attempt)
  if (entries.length > 1) return fitOneByOne(mempool, entries, attempt)
  mempool.drop(first.id, error.message)
  return undefined
}

function fitOneByOne<C extends ChainAlias>(
  mempool: Pick<Mempool.Mempool, 'drop'>,
  entries: readonly Mempool.Entry<C>[],
  attempt: Attempt<C>,
): Candidate | undefined {
  let best: Candidate | undefined
  const chosen: Mempool.Entry<C>[] = []
  for (const entry of entries) {
    const conflict = errorOf(() => {
      best = attempt([...chosen, entry])
    })
    if (conflict === undefined) chosen.push(entry)
    else if (conflict.code === NO_GAS) break
    else mempool.drop(entry.id, conflict.message)
  }
  return best
}

/**
 * Returns whether a verified transaction stays valid until an input is spent or the price rises, which the ledger
 * checks. Other transactions also depend on stakers, subnets, L1s and the time.
 */
function isFinal(chain: ChainAlias, { tx }: Mempool.Entry): boolean {
  return chain !== 'P' || FINAL.has(tx.unsignedTx.type)
}

const FINAL: ReadonlySet<string> = new Set(['BaseTx', 'ImportTx', 'ExportTx', 'CreateSubnetTx'])

/** Runs `check` and returns the FirnError that it throws, if any. */
function errorOf(check: () => void): FirnError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (isFirnError(error)) return error
    throw error
  }
}
