import { type ChainAlias, type Codec, Id, isFirnError } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { type Secp256k1, Signers, Signing } from '@firn/txs'
import { issueOnceThereIsGas } from './acceptance.ts'
import * as Drafts from './Drafts.ts'
import type { NetworkIds, Node } from './Node.ts'
import * as Series from './Series.ts'
import type { Signer } from './Signer.ts'
import { checked, WalletError } from './WalletError.ts'

/** Who builds a transaction, and when. */
export interface Context {
  readonly node: Node
  readonly network: NetworkIds
  /** Addresses on the P- and X-chain (20 bytes each) that sign, now or later. The first one receives change. */
  readonly addresses: readonly Uint8Array[]
  /** Addresses of the signer's accounts on the C-chain. */
  readonly accounts: readonly Uint8Array[]
  /** Addresses of the accounts' keys that own what other chains export to the C-chain. Default: `addresses`. */
  readonly accountOwners?: readonly Uint8Array[]
  /** Owners of the change. Default: the first of `addresses`. */
  readonly changeOwners?: Secp256k1.OutputOwners
  /** Current time in Unix seconds. */
  readonly time: bigint
  readonly signal: AbortSignal | undefined
}

/** How a kind of transaction is built, and what it creates. */
export interface Operation<C extends ChainAlias, Request, Made> {
  readonly build: (context: Context, request: Request) => Promise<Signing.Draft<C>>
  /** Returns the ids that follow from the transaction. */
  readonly made: (draft: Signing.Draft<C>) => Made
}

/** Returns an operation that creates nothing with an id, or whose ids `made` returns. */
export function operation<C extends ChainAlias, Request, Made = Record<never, never>>(
  build: Operation<C, Request, Made>['build'],
  made: Operation<C, Request, Made>['made'] = () => ({}) as Made,
): Operation<C, Request, Made> {
  return { build: (context, request) => checked(() => build(context, request)), made }
}

/** The input of an operation. */
export type RequestOf<O> = O extends
  | { readonly build: (context: Context, request: infer Request) => unknown }
  | { readonly next: (context: Context, request: infer Request) => unknown }
  ? Request
  : never

/** Returns what the wallets of all chains have in common. */
export function walletOf({ network, addresses, changeOwners, time }: Context) {
  const { networkId, avaxAssetId } = network
  return { networkId, avaxAssetId, addresses, time, ...(changeOwners && { changeOwners }) }
}

/** A step of a transaction, as reported to {@link StepOptions.onStep}. */
export type Step =
  | { readonly name: 'built' | 'signed'; readonly draft: Signing.Draft }
  | { readonly name: 'issued' | 'accepted'; readonly txId: string }

/** Options of each operation. */
export interface StepOptions {
  /** Ends waiting. A transaction that is issued already may still be accepted. */
  readonly signal?: AbortSignal
  /** Time in milliseconds to wait for acceptance; 60,000 by default. */
  readonly timeoutMs?: number
  /** Is called after each step. */
  readonly onStep?: (step: Step) => void
}

/** An accepted transaction, with the ids that it created. */
export type Accepted<Made = unknown> = Codec.Flat<{ readonly txId: string } & Made>

/** The accepted transactions of a series: the id of the first one, all ids, and the UTXOs that they left. */
export interface AcceptedSeries {
  readonly txId: string
  readonly txIds: readonly string[]
  readonly left: readonly Series.Left[]
}

// biome-ignore lint/suspicious/noExplicitAny: the arguments and results of the operations differ.
type AnyOperation<C extends ChainAlias> = Operation<C, any, any> | Series.Series<C, any>
type AnyOperations<C extends ChainAlias> = Readonly<Record<string, AnyOperation<C>>>

/** The operations of a chain: each builds, signs, issues, and waits for acceptance. `build` only builds. */
export type ChainWallet<C extends ChainAlias, T extends AnyOperations<C>> = {
  readonly [K in keyof T]: T[K] extends Operation<C, infer Request, infer Made>
    ? (request: Request, options?: StepOptions) => Promise<Accepted<Made>>
    : T[K] extends Series.Series<C, infer Request>
      ? (request: Request, options?: StepOptions) => Promise<AcceptedSeries>
      : never
} & {
  readonly build: {
    readonly [K in keyof T]: T[K] extends Operation<C, infer Request, infer _Made>
      ? (request: Request, options?: Pick<StepOptions, 'signal'>) => Promise<Signing.Draft<C>>
      : T[K] extends Series.Series<C, infer Request>
        ? (request: Request, options?: Pick<StepOptions, 'signal'>) => Promise<Series.Built<C>>
        : never
  }
}

/** What the steps need. */
export interface Steps {
  readonly node: Node
  readonly signer: Signer
  readonly clock: Clock
  readonly context: (signal: AbortSignal | undefined) => Promise<Context>
  readonly wait: (chain: ChainAlias, txId: string, options?: StepOptions) => Promise<void>
}

type One<C extends ChainAlias> = Operation<C, unknown, unknown>
type Many<C extends ChainAlias> = Series.Series<C, Series.SeriesRequest>

/** Derives the operations of a chain from their table. */
export function chainWallet<C extends ChainAlias, T extends AnyOperations<C>>(
  table: T,
  steps: Steps,
): ChainWallet<C, T> {
  const build =
    (operation: One<C> | Many<C>) =>
    async (request: unknown, options: StepOptions = {}) => {
      const context = await steps.context(options.signal)
      if ('build' in operation) return operation.build(context, request)
      return Series.build(operation, context, (request ?? {}) as Series.SeriesRequest)
    }
  const run =
    (operation: One<C> | Many<C>) =>
    async (request: unknown, options: StepOptions = {}) => {
      const context = await steps.context(options.signal)
      if ('next' in operation)
        return runSeries(operation, context, (request ?? {}) as Series.SeriesRequest, { steps, options })
      const { txId, signed } = await accept(await operation.build(context, request), steps, options)
      return { txId, ...(operation.made(signed) as object) }
    }
  const each = (derive: (operation: One<C> | Many<C>) => unknown) =>
    Object.fromEntries(Object.entries(table).map(([name, one]) => [name, derive(one)]))
  return { ...each(run), build: each(build) } as ChainWallet<C, T>
}

/** Signs and issues a transaction, and waits until it is accepted. */
async function accept<C extends ChainAlias>(draft: Signing.Draft<C>, steps: Steps, options: StepOptions) {
  const { signal, onStep } = options
  onStep?.({ name: 'built', draft })
  const signed = (await steps.signer.sign(draft, signal)) as Signing.Draft<C>
  onStep?.({ name: 'signed', draft: signed })
  const txId = await issueOnceThereIsGas(() => issue(steps.node, signed, signal), {
    ...options,
    clock: steps.clock,
  })
  onStep?.({ name: 'issued', txId })
  await steps.wait(signed.chain, txId, options)
  onStep?.({ name: 'accepted', txId })
  return { txId, signed }
}

async function runSeries<C extends ChainAlias>(
  series: Many<C>,
  context: Context,
  request: Series.SeriesRequest,
  { steps, options }: { readonly steps: Steps; readonly options: StepOptions },
): Promise<AcceptedSeries> {
  const txIds: string[] = []
  try {
    const left = await Series.forEach(series, { context, request }, async (draft) => {
      txIds.push((await accept(draft, steps, options)).txId)
    })
    return { txId: txIds[0] ?? '', txIds, left }
  } catch (cause) {
    throw txIds.length === 0 ? cause : endedEarly(cause, txIds)
  }
}

/** Returns the error for a series that failed after some of its transactions were accepted. */
function endedEarly(cause: unknown, txIds: readonly string[]): WalletError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const details = isFirnError(cause) ? cause.details : {}
  return new WalletError(
    'WALLET_SERIES',
    `transaction ${txIds.length + 1} of the series failed: ${reason}; accepted before it: ${txIds.join(', ')}`,
    { cause, details: { ...details, txIds } },
  )
}

/** Issues a signed transaction and returns its id. */
export async function issue(
  node: Node,
  draft: Signing.Draft,
  signal: AbortSignal | undefined,
): Promise<string> {
  const left = Signing.missing(draft)
  if (left.length > 0) {
    const missing = left.map(Signers.formatted(draft.chain, draft.unsignedTx).format)
    throw new WalletError(
      'WALLET_SIGNATURES',
      `signatures are missing; pass details.draft on to the owners of ${missing.join(', ')}`,
      { details: { missing, draft: Drafts.toJson(draft) } },
    )
  }
  return Id.format(await node.issue(draft.chain, Signing.encode(draft), signal))
}
