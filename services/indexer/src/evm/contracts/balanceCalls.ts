import { Hex, isFirnError } from '@firn/codec'
import { BalanceOf } from '@firn/evm'
import type { EvmBalanceChecks } from '@firn/evm-store'
import { IndexerError } from '../../common/IndexerError.ts'
import { absent } from '../upstream/assemble.ts'
import type { EvmUpstreams } from '../upstream/EvmUpstreams.ts'
import { type At, attemptCalls, type ContractCall, type Naming } from './contractCalls.ts'

/**
 * Result of asking a contract for a balance: the balance, `invalid` if the call reverts or returns something else
 * than a number, or `unanswered` if no node gave an answer about the call.
 */
export type Balance = bigint | 'invalid' | 'unanswered'

/** Asks contracts for balances at blocks, within a number of batches. */
export interface BalanceCalls {
  /** Maximum number of balances in one batch. */
  batchSize(): number
  /**
   * Asks for balances in one batch. If `isAgain` is set, the calls have another sender and another gas limit, so
   * that a contract whose answer depends on them is found.
   * @throws IndexerError if no node answers, `INDEXER_ABSENT` if no node has the block's state
   */
  ask(
    holdings: readonly EvmBalanceChecks.Holding[],
    at: At,
    signal: AbortSignal,
    isAgain?: boolean,
  ): Promise<readonly Balance[]>
}

/** Gas limit of a call in a batch. It also bounds the length of an answer, because memory costs gas. */
const GAS = 1_000_000n
const MORE_GAS = 20_000_000n
/** Sender of repeated calls. */
const OTHER = new Uint8Array(20).fill(0xa5)

/** Creates the calls. Sends no request until it is used. */
export function createBalanceCalls(upstreams: Pick<EvmUpstreams, 'ask' | 'groupBlocks'>): BalanceCalls {
  /** How blocks are named; nodes that do not accept hashes are asked by height from then on. */
  let naming: Naming = 'hash'
  let turn = 0
  return {
    // A header is requested together with the calls.
    batchSize: () => Math.max(2 * upstreams.groupBlocks() - 1, 1),
    async ask(holdings, at, signal, isAgain = false) {
      const calls = holdings.map((holding) => callOf(holding, isAgain))
      for (;;) {
        const attempts = await attemptCalls(upstreams, calls, { at, naming, turn }, signal).catch(
          (error: unknown) => {
            if (isFirnError(error)) turn += 1
            throw error
          },
        )
        if (naming === 'hash' && attempts.every(({ kind }) => kind === 'unnamed')) {
          naming = 'height'
          continue
        }
        if (attempts.some(({ kind }) => kind === 'stateless' || kind === 'absent')) {
          turn += 1
          const isGone = attempts.some(({ kind }) => kind === 'stateless')
          throw isGone ? stateGone(at.height) : absent('the node', `block ${at.height}`)
        }
        return attempts.map((attempt) =>
          attempt.kind !== 'returned'
            ? 'unanswered'
            : attempt.value === undefined
              ? 'invalid'
              : (BalanceOf.read(Hex.encode(attempt.value)) ?? 'invalid'),
        )
      }
    },
  }
}

function stateGone(height: bigint): IndexerError {
  const message = `no node still has the state of block ${height}`
  return new IndexerError('INDEXER_ABSENT', message, { details: { state: `${height}` } })
}

/** Returns whether an error of {@link BalanceCalls.ask} means that the node has the block but not its state. */
export function isStateGone(error: unknown): boolean {
  return error instanceof IndexerError && error.details['state'] !== undefined
}

function callOf(holding: EvmBalanceChecks.Holding, isAgain: boolean): ContractCall {
  const call = { to: holding.contract, data: Hex.decode(BalanceOf.callData(holding)) }
  return isAgain ? { ...call, from: OTHER, gas: MORE_GAS } : { ...call, gas: GAS }
}
