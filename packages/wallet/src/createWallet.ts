import { Address, type ChainAlias } from '@firn/codec'
import { EvmAddress, PublicKey } from '@firn/keys'
import { type Clock, systemClock } from '@firn/runtime'
import { Coins, type Signing } from '@firn/txs'
import { waitForAcceptance } from './acceptance.ts'
import { WEI } from './evmAmounts.ts'
import { type EvmTransfer, transferOnEvm } from './evmTransfer.ts'
import { createNode, type Node, type NodeOptions } from './Node.ts'
import {
  type Accepted,
  type ChainWallet,
  type Context,
  chainWallet,
  issue,
  type StepOptions,
} from './Operation.ts'
import { OPERATIONS } from './operations.ts'
import { keySigner, type Signer } from './Signer.ts'
import { WalletError } from './WalletError.ts'

/** Options of {@link createWallet}: a node, and a signer or its keys. */
export interface WalletOptions extends Partial<NodeOptions> {
  /** Network whose public API is used if there is no `url`. */
  readonly network?: 'mainnet' | 'fuji'
  /** Access to a node, instead of `url`. */
  readonly node?: Node
  /** Private keys in this process: `PrivateKey-…`, or 32 bytes each. */
  readonly keys?: readonly (string | Uint8Array)[]
  /** Signer, instead of `keys`. */
  readonly signer?: Signer
  /** Further addresses (20 bytes each) whose owners will sign after the signer: the others of a shared wallet. */
  readonly others?: readonly Uint8Array[]
  readonly clock?: Clock
}

/** The amount of AVAX that a wallet has on a chain, in nAVAX. */
export interface Balance {
  /** What can be spent now. */
  readonly available: bigint
  /** What can only be staked now, or not be spent before a time (P-chain). */
  readonly locked: bigint
}

/** A wallet for the P-, X- and C-chain; created by {@link createWallet}. */
export interface Wallet {
  readonly p: ChainWallet<'P', typeof OPERATIONS.P>
  readonly x: ChainWallet<'X', typeof OPERATIONS.X>
  readonly c: ChainWallet<'C', typeof OPERATIONS.C> & {
    /** Transfers AVAX or an ERC-20 token between accounts. For other calls of contracts, use an EVM library such as viem. */
    transfer(request: EvmTransfer, options?: StepOptions): Promise<Accepted>
  }
  readonly node: Node
  /** Returns the wallet's addresses on each chain. On the C-chain, they are addresses of EVM accounts. */
  addresses(signal?: AbortSignal): Promise<Readonly<Record<ChainAlias, readonly string[]>>>
  /**
   * Returns the first of the wallet's addresses on a chain.
   * @throws WalletError `WALLET_INPUT` if the signer has no key of the chain
   */
  address(chain: ChainAlias, signal?: AbortSignal): Promise<string>
  /** Returns the amount of AVAX on a chain. */
  balance(chain: ChainAlias, signal?: AbortSignal): Promise<Balance>
  /** Returns a draft with the signatures that the signer can add. */
  sign<C extends ChainAlias>(draft: Signing.Draft<C>, signal?: AbortSignal): Promise<Signing.Draft<C>>
  /**
   * Issues a signed transaction and returns its id.
   * @throws WalletError `WALLET_SIGNATURES`; RpcError with the node's reason if it rejects the transaction
   */
  issue(draft: Signing.Draft, signal?: AbortSignal): Promise<string>
  /**
   * Waits until an issued transaction is accepted.
   * @throws WalletError `WALLET_DROPPED`, `WALLET_TIMEOUT`; RpcError; the abort reason of the signal
   */
  wait(chain: ChainAlias, txId: string, options?: StepOptions): Promise<void>
  /** Issues a signed transaction and waits until it is accepted. */
  send(draft: Signing.Draft, options?: StepOptions): Promise<{ readonly txId: string }>
}

/** Public APIs by network. */
const URLS = { mainnet: 'https://api.avax.network', fuji: 'https://api.avax-test.network' } as const

/**
 * Creates a wallet. Each operation reads UTXOs and fees, then builds, signs and issues a transaction, and waits until it
 * is accepted. The wallet keeps no state, so any number of wallets may use the same keys one after the other.
 *
 * @example
 * ```ts
 * import { avax, createWallet } from '@firn/wallet'
 *
 * declare const key: string // PrivateKey-…
 * const wallet = createWallet({ network: 'fuji', keys: [key] })
 * const { txId } = await wallet.p.transfer({ to: 'P-fuji1…', amount: avax('1.5') })
 * ```
 * @throws WalletError `WALLET_INPUT` without a node or a signer; KeysError `KEYS_PRIVATE_KEY`
 */
export function createWallet(options: WalletOptions): Wallet {
  const { clock = systemClock, others = [] } = options
  const node = options.node ?? nodeOf(options)
  const signer = options.signer ?? keySigner(options.keys ?? [])
  if (signer.publicKeys.length === 0) throw new WalletError('WALLET_INPUT', 'pass keys, or a signer')
  const addresses = [...signer.publicKeys.map((key) => PublicKey.address(key)), ...others]
  const accountKeys = signer.accountKeys ?? signer.publicKeys
  const accounts = accountKeys.map((key) => PublicKey.evmAddress(key))
  const accountOwners = accountKeys.map((key) => PublicKey.address(key))

  const context = async (signal: AbortSignal | undefined): Promise<Context> => ({
    node,
    network: await node.network(signal),
    addresses,
    accounts,
    accountOwners,
    time: BigInt(Math.floor(clock.now() / 1_000)),
    signal,
  })

  const wait = (chain: ChainAlias, txId: string, options: StepOptions = {}): Promise<void> =>
    waitForAcceptance(node, chain, txId, { ...options, clock })

  const listAddresses: Wallet['addresses'] = async (signal) => {
    const { hrp } = await node.network(signal)
    const names = (chain: ChainAlias) => addresses.map((payload) => Address.format({ chain, hrp, payload }))
    return { P: names('P'), X: names('X'), C: accounts.map(EvmAddress.format) }
  }

  const issueDraft = (draft: Signing.Draft, signal?: AbortSignal) => issue(node, draft, signal)
  const steps = { node, signer, clock, context, wait }
  return {
    p: chainWallet<'P', typeof OPERATIONS.P>(OPERATIONS.P, steps),
    x: chainWallet<'X', typeof OPERATIONS.X>(OPERATIONS.X, steps),
    c: {
      ...chainWallet<'C', typeof OPERATIONS.C>(OPERATIONS.C, steps),
      transfer: (request, options) => transferOnEvm({ node, signer, accounts, clock }, request, options),
    },
    node,
    addresses: listAddresses,
    async address(chain, signal) {
      const [first] = (await listAddresses(signal))[chain]
      if (first === undefined)
        throw new WalletError('WALLET_INPUT', `the signer has no key of the ${chain}-chain`)
      return first
    },
    async balance(chain, signal) {
      const { avaxAssetId } = await node.network(signal)
      if (chain === 'C') {
        const held = await Promise.all(accounts.map((address) => node.account(address, signal)))
        return { available: held.reduce((sum, { balance }) => sum + balance / WEI, 0n), locked: 0n }
      }
      const coins = Coins.of(await node.utxos(chain, addresses, undefined, signal))
      const own = coins.filter(Coins.isOf(avaxAssetId))
      const { time } = await context(signal)
      const free = Coins.signable(own, { addresses, time }).filter(({ lock }) => lock <= time)
      const sum = (list: readonly Coins.Coin[]) => list.reduce((total, { amount }) => total + amount, 0n)
      return { available: sum(free), locked: sum(own) - sum(free) }
    },
    sign: async (draft, signal) => (await signer.sign(draft, signal)) as typeof draft,
    issue: issueDraft,
    wait,
    async send(draft, options = {}) {
      const txId = await issueDraft(draft, options.signal)
      await wait(draft.chain, txId, options)
      return { txId }
    },
  }
}

function nodeOf({ network, url = network && URLS[network], ...options }: WalletOptions): Node {
  if (url === undefined) throw new WalletError('WALLET_INPUT', 'pass the url of a node, or network')
  const { cChainUrl, timeoutMs, fetch } = options
  return createNode({ url, cChainUrl, timeoutMs, fetch })
}
