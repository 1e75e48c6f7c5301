import { isFirnError } from '@firn/codec'
import { EvmContracts, type EvmStore, type EvmWriter } from '@firn/evm-store'
import { type WorkOptions, whileWriting } from '../../common/whileWriting.ts'
import type { ContractReader } from '../contracts/ContractReader.ts'
import { untilAdvanced } from './untilAdvanced.ts'

/** Options of {@link readDue}. */
export interface RereaderOptions {
  readonly store: EvmStore
  readonly writer: Pick<EvmWriter, 'storeContracts'>
  readonly contracts: Pick<ContractReader, 'facts'>
}

/** Number of contracts that are read at a time. */
const LIMIT = 16
/** Contracts are not read while more blocks than this are to be fetched, because they would soon change again. */
const MAX_BEHIND = 1_024n

/**
 * Reads the contracts that are due again, at the newest block: up to 16 of them. Returns whether there were any.
 * @throws IndexerError `INDEXER_ABSENT` if no node still has the block; StoreError
 */
export async function readDue(
  { store, writer, contracts }: RereaderOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const at = await store.snapshot().catch((error: unknown) => {
    if (isFirnError(error) && error.code === 'STORE_EMPTY') return undefined
    throw error
  })
  if (at === undefined) return false
  const due = await EvmContracts.due(store, at.time, LIMIT, at.height)
  if (due.length === 0) return false
  await writer.storeContracts(at, await contracts.facts(due, at, signal))
  return true
}

/** Reads contracts that are due again until the signal is aborted. Tries again after faults. */
export async function readContinuously(
  options: RereaderOptions &
    WorkOptions & {
      /** Returns the height of the newest block that a node has reported; undefined if none has. */
      readonly head: () => bigint | undefined
    },
  signal: AbortSignal,
): Promise<void> {
  const { store, head, clock } = options
  const step = async () => {
    const { height } = await store.snapshot().catch(() => ({ height: undefined }))
    const isBehind = height === undefined || (head() ?? height) - height > MAX_BEHIND
    if (isBehind || !(await readDue(options, signal))) await untilAdvanced(store, clock, signal)
  }
  const facts = { chain: `${store.chainId}` }
  await whileWriting(step, { ...options, effect: 'contracts are not read again', facts }, signal)
}
