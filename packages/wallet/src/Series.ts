import { type ChainAlias, excerpt, isFirnError } from '@firn/codec'
import { Coins, type Selection, type Signing, UtxoId } from '@firn/txs'
import type { Context } from './Operation.ts'
import { checked, WalletError } from './WalletError.ts'

/** A transaction that takes as many coins as fit, with those that it left. */
export type Gathering<C extends ChainAlias = ChainAlias> = Signing.Draft<C> & {
  readonly left: readonly Selection.Left[]
}

/** UTXOs that a series of transactions left, and why. */
export interface Left {
  /**
   * `dust`: they are worth less than the fee for spending them. `limit`: `maxTransactions` was reached, or change of the
   * transactions before must be accepted first. `funds`: the wallet cannot pay the fee for spending them. `locked`: they are
   * locked. `signers`: other owners must sign for them. `receiver`: they have several owners, and the request does not say who
   * receives them. `asset`: the chain does not import their asset, or its fee exceeds the fee of importing AVAX alone; import
   * them with another call.
   */
  readonly reason: Selection.Reason
  /** Number of UTXOs. */
  readonly count: number
  /** AVAX in them, in nAVAX. */
  readonly amount: bigint
}

/** An operation that needs several transactions if its coins do not fit into one. */
export interface Series<C extends ChainAlias, Request> {
  /** Builds the first transaction of the remaining ones. */
  readonly next: (context: Context, request: Request) => Promise<Gathering<C>>
}

/** Request of a series. */
export interface SeriesRequest {
  /** Most transactions to make. Default: as many as are needed. */
  readonly maxTransactions?: number
}

/**
 * Returns an operation that needs several transactions if its coins do not fit into one.
 * @example
 * ```ts
 * import { type Context, OPERATIONS, Series } from '@firn/wallet'
 *
 * // An import that always receives the same owner.
 * const to = 'P-fuji1…'
 * const own = Series.series((context: Context, request: { readonly chain: 'X' | 'C' }) =>
 *   OPERATIONS.P.importFrom.next(context, { ...request, to }),
 * )
 * ```
 */
export function series<C extends ChainAlias, Request>(
  next: Series<C, Request>['next'],
): Series<C, Request & SeriesRequest> {
  return { next: (context, request) => checked(() => next(context, request)) }
}

/** The transactions of a series, and the UTXOs that they leave. */
export interface Built<C extends ChainAlias = ChainAlias> {
  readonly drafts: readonly Gathering<C>[]
  readonly left: readonly Left[]
}

/**
 * Builds the transactions of a series, without issuing any.
 * @example
 * ```ts
 * import { type Context, OPERATIONS, Series } from '@firn/wallet'
 *
 * declare const context: Context
 * const { drafts, left } = await Series.build(OPERATIONS.P.importFrom, context, { chain: 'C' })
 * ```
 * @throws TxsError if there is nothing to do; the errors of building
 */
export async function build<C extends ChainAlias, Request extends SeriesRequest>(
  series: Series<C, Request>,
  context: Context,
  request: Request,
): Promise<Built<C>> {
  const drafts: Gathering<C>[] = []
  const left = await forEach(series, { context, request }, async (draft) => {
    drafts.push(draft)
  })
  // The change of these transactions can pay further fees once they are accepted.
  return { drafts, left: left.map((one) => (one.reason === 'funds' ? { ...one, reason: 'limit' } : one)) }
}

/**
 * Calls a function with each transaction of a series, and returns what they left. Each is built after the function has
 * finished the one before, with the fees of that moment and without the UTXOs that are spent.
 * @example
 * ```ts
 * import { type Context, OPERATIONS, Series, type Wallet } from '@firn/wallet'
 *
 * declare const context: Context, wallet: Wallet
 * const left = await Series.forEach(OPERATIONS.P.consolidate, { context, request: {} }, async (draft) => {
 *   await wallet.send(await wallet.sign(draft))
 * })
 * ```
 * @throws TxsError if there is nothing to do; the errors of building and of `work`
 */
export async function forEach<C extends ChainAlias, Request extends SeriesRequest>(
  series: Series<C, Request>,
  { context, request }: { readonly context: Context; readonly request: Request },
  work: (draft: Gathering<C>) => Promise<void>,
): Promise<readonly Left[]> {
  const { maxTransactions } = request
  if (maxTransactions !== undefined && !(Number.isInteger(maxTransactions) && maxTransactions > 0))
    throw new WalletError(
      'WALLET_INPUT',
      `maxTransactions: expected an integer above 0, got ${excerpt(maxTransactions)}`,
    )
  const drafts = inOrder(series, context, request)
  for (;;) {
    const { done, value } = await drafts.next()
    if (done) return value
    await work(value)
  }
}

async function* inOrder<C extends ChainAlias, Request extends SeriesRequest>(
  { next }: Series<C, Request>,
  context: Context,
  request: Request,
): AsyncGenerator<Gathering<C>, readonly Left[]> {
  const done = new Set<string>()
  const { maxTransactions = Number.POSITIVE_INFINITY } = request
  const own = { ...context, node: without(context.node, done) }
  // Coins whose asset a transaction did not take: a later one, without AVAX, would pay a fee for them.
  const ofOtherAssets: Selection.Left[] = []
  let left: readonly Selection.Left[] = []
  for (let made = 0; made < maxTransactions; made++) {
    let draft: Gathering<C>
    try {
      draft = await next(own, request)
    } catch (error) {
      const end = endOf(error)
      if (made === 0 || end === undefined) throw error
      return summary(context, [...ofOtherAssets, ...left], end)
    }
    yield draft
    ofOtherAssets.push(...draft.left.filter(({ reason }) => reason === 'asset'))
    left = draft.left.filter(({ reason }) => reason !== 'asset')
    for (const coin of [...inputsOf(draft), ...ofOtherAssets.flatMap(({ coins }) => coins)])
      done.add(UtxoId.key(coin))
    if (!left.some(({ reason }) => reason === 'limit')) break
  }
  return summary(context, [...ofOtherAssets, ...left], 'limit')
}

/**
 * Returns why a series ends although coins remain that did not fit; undefined if it fails. These coins are neither locked nor
 * of other signers, even if the error names such coins.
 */
function endOf(error: unknown): Left['reason'] | undefined {
  if (!isFirnError(error)) return undefined
  const end = ENDS[error.code]
  // The fee cannot be paid.
  return end !== undefined && 'needed' in error.details ? 'funds' : end
}

const ENDS: Readonly<Record<string, Left['reason']>> = {
  TXS_DUST: 'dust',
  TXS_LOCKED: 'dust',
  TXS_SIGNERS: 'dust',
  TXS_FUNDS: 'funds',
  // Only one coin remains to be consolidated, or what remains was spent in the meantime.
  TXS_EMPTY: 'limit',
}

function summary(
  { network: { avaxAssetId } }: Context,
  left: readonly Selection.Left[],
  end: Left['reason'],
): Left[] {
  const found = new Map<Left['reason'], Left>()
  for (const { reason: first, coins } of left) {
    const reason = first === 'limit' ? end : first
    const { count, amount } = found.get(reason) ?? { count: 0, amount: 0n }
    const more = Coins.total(coins.filter(Coins.isOf(avaxAssetId)))
    found.set(reason, { reason, count: count + coins.length, amount: amount + more })
  }
  return [...found.values()]
}

function inputsOf({ unsignedTx }: Signing.Draft): readonly UtxoId.UtxoId[] {
  const own = 'inputs' in unsignedTx ? unsignedTx.inputs : []
  const imported = 'importedInputs' in unsignedTx ? unsignedTx.importedInputs : []
  return [...own, ...imported].filter((input) => 'txID' in input)
}

/** Returns the node without UTXOs, such as those that earlier transactions spend, which it may not know yet. */
function without(node: Context['node'], done: ReadonlySet<string>): Context['node'] {
  const utxos: Context['node']['utxos'] = async (...given) =>
    (await node.utxos(...given)).filter((utxo) => !done.has(UtxoId.key(utxo)))
  // A node of the caller may be an object of a class, whose methods need it as `this`.
  return new Proxy(node, {
    get(target, name) {
      if (name === 'utxos') return utxos
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
