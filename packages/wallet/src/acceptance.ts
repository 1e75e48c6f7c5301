import { type ChainAlias, Id, isFirnError } from '@firn/codec'
import { type Clock, systemClock } from '@firn/runtime'
import type { Node } from './Node.ts'
import { WalletError } from './WalletError.ts'

/** Options of {@link waitForAcceptance}. */
export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Time in milliseconds after which waiting fails; 60,000 by default. */
  readonly timeoutMs?: number
  readonly clock?: Clock
}

const TIMEOUT = 60_000
/** Milliseconds between two questions for the state of a transaction. */
const POLL = 250

/**
 * Waits until an issued transaction is accepted.
 *
 * @example
 * ```ts
 * import { createNode, waitForAcceptance } from '@firn/wallet'
 *
 * const node = createNode({ url: 'http://127.0.0.1:9650' })
 * declare const txId: string
 * await waitForAcceptance(node, 'P', txId, { timeoutMs: 10_000 })
 * ```
 * @throws WalletError `WALLET_DROPPED`, `WALLET_TIMEOUT`; CodecError if the id is malformed; RpcError; the abort reason
 * of the signal
 */
export async function waitForAcceptance(
  node: Pick<Node, 'state'>,
  chain: ChainAlias,
  txId: string,
  options: WaitOptions = {},
): Promise<void> {
  const id = Id.parse(txId)
  const isAccepted = async () => {
    const state = await node.state(chain, id, options.signal)
    if (state.kind === 'dropped') {
      const { reason } = state
      const because = reason === undefined || reason === '' ? '' : `: ${reason}`
      throw new WalletError('WALLET_DROPPED', `the network rejected transaction ${txId}${because}`, {
        details: { txId, reason },
      })
    }
    return state.kind === 'accepted'
  }
  await untilAccepted(isAccepted, txId, options)
}

/**
 * Waits until `isAccepted` returns true. It throws if the transaction will never be accepted.
 * @throws WalletError `WALLET_TIMEOUT`; the errors of `isAccepted`; the abort reason of the signal
 */
export async function untilAccepted(
  isAccepted: () => Promise<boolean>,
  txId: string,
  { signal, timeoutMs = TIMEOUT, clock = systemClock }: WaitOptions,
): Promise<void> {
  const end = clock.now() + timeoutMs
  while (!(await isAccepted())) {
    if (clock.now() >= end) {
      const message = `transaction ${txId} was not accepted within ${timeoutMs} ms; it may still be accepted`
      throw new WalletError('WALLET_TIMEOUT', message, { details: { txId } })
    }
    await clock.sleep(POLL, signal)
  }
}

/** Milliseconds between two attempts to issue a transaction that needs more gas than the P-chain has now. */
const GAS_POLL = 1_000

/** What nodes answer if the P-chain has too little gas for a transaction now. Its gas grows every second. */
const NO_GAS = /exceeds current gas capacity/

/**
 * Issues a transaction. If the P-chain has too little gas for it now, because of the transactions before, tries again until
 * there is enough or the time is over.
 *
 * @example
 * ```ts
 * import type { Signing } from '@firn/txs'
 * import { issueOnceThereIsGas, type Wallet } from '@firn/wallet'
 *
 * declare const wallet: Wallet
 * declare const signed: Signing.Draft
 * const txId = await issueOnceThereIsGas(() => wallet.issue(signed), { timeoutMs: 30_000 })
 * ```
 * @throws the errors of `issue`; the abort reason of the signal
 */
export async function issueOnceThereIsGas(
  issue: () => Promise<string>,
  { signal, timeoutMs = TIMEOUT, clock = systemClock }: WaitOptions,
): Promise<string> {
  const end = clock.now() + timeoutMs
  for (;;) {
    try {
      return await issue()
    } catch (error) {
      if (!isFirnError(error) || !NO_GAS.test(error.message) || clock.now() >= end) throw error
      await clock.sleep(GAS_POLL, signal)
    }
  }
}
