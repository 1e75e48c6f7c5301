import { Address, type ChainAlias, CheckedHex, Hex, Id, Json, Network, NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { EvmAddress, PrivateKey, PublicKey } from '@firn/keys'
import type { Terminal } from '@firn/options'
import {
  AtomicBuilder,
  AtomicTx,
  AvmBuilder,
  AvmTx,
  NodeJson,
  PlatformBuilder,
  PlatformTx,
  Signers,
  Signing,
  StakingBuilder,
  Wallet,
} from '@firn/txs'
import { Drafts, waitForAcceptance } from '@firn/wallet'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'
import {
  atomicWallet,
  avmWallet,
  chainId,
  exportedOf,
  keysOf,
  nodeOf,
  type Options,
  payloadOf,
  paymentsOf,
  platformWallet,
  type Setting,
  settingOf,
} from './TxSetting.ts'
import * as TxSource from './TxSource.ts'

/** Runs `firn tx transfer`, which transfers AVAX on the P- or X-chain. */
export const transfer = async (
  texts: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<void> => {
  const setting = await settingOf(options, terminal)
  const { chain, payments } = paymentsOf(texts, setting)
  if (chain === 'C')
    throw new CliError(
      'CLI_INPUT',
      'expected addresses of the P- or X-chain, got C; on the C-chain, send an EVM transaction instead',
    )
  const draft =
    chain === 'P'
      ? PlatformBuilder.transfer(await platformWallet(setting), payments)
      : AvmBuilder.transfer(await avmWallet(setting), payments)
  await finish(draft, setting, terminal)
}

/** Runs `firn tx export`, which exports AVAX from `--chain` to the chain of the given addresses. */
export const exportTo = async (
  texts: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<void> => {
  const setting = await settingOf(options, terminal)
  const { chain: destination, payments } = paymentsOf(texts, setting)
  if (destination === options.chain)
    throw new CliError('CLI_INPUT', `expected addresses of a chain other than ${options.chain}`)
  const to = await chainId(setting, destination)
  await finish(await exportDraft(setting, to, payments), setting, terminal)
}

const exportDraft = async (
  setting: Setting,
  to: Uint8Array,
  payments: readonly Wallet.Payment[],
): Promise<Signing.Draft> => {
  const { options, keys } = setting
  if (options.chain === 'P') return PlatformBuilder.exportTo(await platformWallet(setting), to, payments)
  if (options.chain === 'X') return AvmBuilder.exportTo(await avmWallet(setting), to, payments)
  if (keys.length === 0)
    throw new CliError('CLI_INPUT', 'pass --keys <file>: C-chain accounts are derived from their keys')
  const accounts = await Promise.all(keys.map((key) => accountOf(setting, key)))
  return AtomicBuilder.exportTo(await atomicWallet(setting, []), to, payments, accounts)
}

const accountOf = async (
  { options: { balance, nonce }, node, signal }: Setting,
  key: Uint8Array,
): Promise<AtomicBuilder.Account> => {
  const address = PublicKey.evmAddress(PrivateKey.publicKey(key))
  if (balance !== undefined && nonce !== undefined) return { address, balance, nonce }
  const read = await node?.account(address, signal)
  if (read !== undefined) return { address, balance: balance ?? read.balance, nonce: nonce ?? read.nonce }
  const name = EvmAddress.format(address)
  throw new CliError('CLI_INPUT', `pass --balance and --nonce of ${name}, or --upstream <url>`)
}

/** Runs `firn tx import`, which imports to `--chain` the funds exported from the chain `source`. */
export const importFrom = async (
  { source, to, ...options }: Options & { readonly source: ChainAlias; readonly to?: string | undefined },
  terminal: Terminal,
): Promise<void> => {
  const { chain } = options
  if (source === chain) throw new CliError('CLI_INPUT', `--source: expected a chain other than ${chain}`)
  const setting = await settingOf(options, terminal)
  const exported = await exportedOf(setting, chain, source)
  const from = await chainId(setting, source)
  if (chain === 'C') {
    const wallet = await atomicWallet(setting, exported)
    return finish(AtomicBuilder.importFrom(wallet, from, evmTarget(setting, to)), setting, terminal)
  }
  const target = to === undefined ? setting.wallet.addresses[0] : payloadOf(to, setting.network)
  const owners = Wallet.soleOwner(target as Uint8Array)
  const draft =
    chain === 'P'
      ? PlatformBuilder.importFrom(await platformWallet(setting), from, exported, owners)
      : AvmBuilder.importFrom(await avmWallet(setting), from, exported, owners)
  await finish(draft, setting, terminal)
}

const evmTarget = ({ keys }: Setting, to: string | undefined): Uint8Array => {
  if (to !== undefined) return EvmAddress.parse(to)
  const [key] = keys
  if (key !== undefined) return PublicKey.evmAddress(PrivateKey.publicKey(key))
  throw new CliError('CLI_INPUT', 'pass --to <0x…>, the account that receives the import')
}

/** Options of `firn tx delegate`. */
export type DelegateOptions = Options & {
  readonly node: string
  readonly amount: bigint
  readonly end: bigint
  readonly rewards?: string | undefined
}

/** Runs `firn tx delegate`, which delegates AVAX to a validator of the Primary Network. */
export const delegate = async (
  { node, amount: weight, end, rewards, ...options }: DelegateOptions,
  terminal: Terminal,
): Promise<void> => {
  const setting = await settingOf(options, terminal)
  const { addresses, time } = setting.wallet
  const target = rewards === undefined ? addresses[0] : payloadOf(rewards, setting.network)
  const wallet = await platformWallet(setting)
  const draft = StakingBuilder.addPermissionlessDelegator(wallet, {
    validator: { nodeID: NodeId.parse(node), start: time, end, weight },
    subnetID: Networks.PRIMARY_NETWORK_ID,
    rewardsOwner: Wallet.soleOwner(target as Uint8Array),
  })
  await finish(draft, setting, terminal)
}

/**
 * Runs `firn tx sign`, which adds signatures to a transaction in hex or to the JSON that an earlier command
 * printed.
 */
export const sign = async (given: string, options: SignOptions, terminal: Terminal): Promise<void> => {
  if (options.keys === undefined || (options.keys === '-' && given === '-'))
    throw new CliError(
      'CLI_INPUT',
      'pass --keys <file>, or --keys - for standard input if the transaction is not read from there',
    )
  const keys = keysOf(options.keys)
  const text = Input.text(given)
  const draft = text.startsWith('{') ? Drafts.fromJson(Json.parse(text)) : ofHex(text, options, keys)
  const node = options.upstream === undefined ? undefined : nodeOf(options.upstream)
  await finish(draft, { options, keys, node, signal: terminal.signal }, terminal)
}

/** Options of `firn tx sign`. */
type SignOptions = Pick<Options, 'chain' | 'utxos' | 'keys' | 'upstream' | 'send' | 'json'>

const ofHex = (text: string, options: SignOptions, keys: readonly Uint8Array[]): Signing.Draft => {
  const bytes = TxSource.bytesOf(text)
  const { chain } = options
  if (options.utxos !== undefined)
    return Signing.decode(chain, bytes, { utxos: TxSource.fromFile(chain, options.utxos) })
  const [key, ...others] = keys
  if (key === undefined || others.length > 0)
    throw new CliError(
      'CLI_INPUT',
      'pass --utxos <file> to assign the inputs to the keys, or use a single key',
    )
  const address = PublicKey.address(PrivateKey.publicKey(key))
  const { unsignedTx } = { P: PlatformTx, X: AvmTx, C: AtomicTx }[chain].decode(bytes)
  return Signing.resume(chain, bytes, Signers.byOne(chain, unsignedTx, address))
}

/** Signs a draft and prints it. With `--send`, issues it and waits until it is accepted. */
const finish = async (
  draft: Signing.Draft,
  {
    options,
    keys,
    node,
    signal,
  }: Pick<Setting, 'keys' | 'node' | 'signal'> & { readonly options: SignOptions },
  terminal: Terminal,
): Promise<void> => {
  const signed = Signing.sign(draft, keys)
  if (options.send === true && node === undefined)
    throw new CliError('CLI_INPUT', '--send: pass --upstream <url>, the node that issues the transaction')
  print(signed, options, terminal)
  if (options.send !== true || node === undefined) return
  if (Signing.missing(signed).length > 0)
    throw new CliError('CLI_INPUT', '--send: the transaction is not complete; pass it to firn tx sign first')
  const txId = Id.format(await node.issue(signed.chain, Signing.encode(signed), signal))
  terminal.note(`issued ${txId}`)
  await waitForAcceptance(node, signed.chain, txId, { signal })
  terminal.note(`accepted ${txId}`)
}

/** Prints a draft as hex and JSON. With `--json`, prints only the JSON, which `firn tx sign` reads. */
const print = (draft: Signing.Draft, { json }: Pick<Options, 'json'>, terminal: Terminal): void => {
  const hex = Hex.encode(Signing.encodePartial(draft))
  const left = Signing.missing(draft)
  const { networkID: networkId } = draft.unsignedTx as Pick<AvmTx.Of<'BaseTx'>, 'networkID'>
  const name = (payload: Uint8Array) =>
    Address.format({ chain: draft.chain, hrp: Network.hrp(networkId), payload })
  const { signers } = Drafts.toJson(draft)
  const result = {
    chain: draft.chain,
    id: left.length === 0 ? Id.format(Signing.id(draft)) : null,
    missing: left.map(name),
    signers: signers as Json.Json,
    hex,
    ...(left.length === 0 ? { issue: issueCall(draft) } : {}),
    tx: nodeJson(draft.chain, Hex.decode(hex), networkId),
  }
  if (!json) terminal.print(hex)
  terminal.print(Json.stringify(result))
  if (left.length > 0) terminal.note(`signatures missing: ${result.missing.join(', ')}`)
}

const ISSUE = {
  P: { path: '/ext/bc/P', method: 'platform.issueTx' },
  X: { path: '/ext/bc/X', method: 'avm.issueTx' },
  C: { path: '/ext/bc/C/avax', method: 'avax.issueTx' },
} as const

/** Returns the call with which a node issues the transaction. Its hex ends with a checksum. */
const issueCall = (draft: Signing.Draft): Json.Json => ({
  ...ISSUE[draft.chain],
  params: { tx: CheckedHex.encode(Signing.encode(draft)), encoding: 'hex' },
})

const nodeJson = (chain: ChainAlias, bytes: Uint8Array, networkId: number): Json.Json => {
  const context = NodeJson.context(networkId, chain)
  if (chain === 'P') return PlatformTx.toJSON(PlatformTx.decode(bytes), context)
  return chain === 'X' ? AvmTx.toJSON(AvmTx.decode(bytes), context) : AtomicTx.toJSON(AtomicTx.decode(bytes))
}
