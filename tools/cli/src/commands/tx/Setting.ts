import { Address, CHAIN_ALIASES, type ChainAlias, Id, Network } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { StakingRules } from '@firn/indexer'
import { EvmAddress, PrivateKey, PublicKey } from '@firn/keys'
import { Common, group, option, type Terminal, Type, type Values } from '@firn/options'
import { type Coins, Wallet } from '@firn/txs'
import {
  type Context,
  createNode,
  type NetworkIds,
  type Node,
  type Receiver,
  type StakingLimits,
  UNCHECKED_BALANCE,
} from '@firn/wallet'
import { CliError } from '../../CliError.ts'
import * as Fields from './Fields.ts'
import * as Keys from './Keys.ts'
import * as Source from './Source.ts'

export const CHAIN = Type.choice(...CHAIN_ALIASES)

export const KEYS = group('Keys', {
  keys: option(Type.path, {
    help: 'File with private keys, one per line; - reads them from standard input. Keys are never arguments, because other users of the machine could see them.',
  }),
})

export const UPSTREAM = {
  upstream: option(Type.url('http', 'https'), {
    help: 'Node that provides UTXOs, owners and prices, and that issues the transaction.',
  }),
}

export const UTXOS = {
  utxos: option(Type.path, {
    help: 'File with UTXOs in hex: a list, or the response of a node; - reads standard input.',
  }),
}

export const SEND = {
  send: option(Type.flag, {
    default: false,
    help: 'Issue the transaction at the upstream, and wait until it is accepted. Prints the ids that it created.',
  }),
  timeout: option(Type.duration({ leastMs: 100 }), {
    default: 60_000,
    help: 'Time to wait for the acceptance.',
  }),
}

export const JSON_OUTPUT = {
  json: option(Type.flag, {
    default: false,
    help: 'Print one JSON document, which firn tx sign, issue and decode can read.',
  }),
}

/** Options of all commands that build a transaction. */
export const WALLET = {
  ...KEYS,
  ...group('Wallet', {
    ...UTXOS,
    from: option(Type.list(Type.text), {
      defaultText: 'the addresses of --keys',
      help: 'Addresses that sign, now or in later rounds.',
    }),
    change: option(Fields.RECEIVER, {
      defaultText: 'the first signer',
      help: 'Owners who receive the change.',
    }),
    ...UPSTREAM,
    network: option(Type.networkName, {
      aliases: ['networkId'],
      defaultText: 'the network of the upstream, otherwise mainnet',
      help: 'mainnet, fuji, local, network-<id> or an id. It must be the network of the upstream, for which local and testnet can stand, too.',
    }),
    time: option(Fields.MOMENT, {
      defaultText: 'now',
      help: 'Current time of the chain. Outputs that are locked until later cannot be spent.',
    }),
    gasPrice: option(
      { ...Type.big, placeholder: 'nAVAX' },
      { defaultText: 'twice the current price', help: 'Price of gas on the P-chain.' },
    ),
    baseFee: option(
      { ...Type.big, placeholder: 'wei' },
      { defaultText: 'read from the upstream', help: 'Base fee of the C-chain.' },
    ),
    cChainRpc: option(Type.url('http', 'https'), {
      defaultText: '/ext/bc/C/rpc of the upstream',
      help: 'RPC endpoint of the C-chain, for its base fee, nonces and balances. A Firn node that follows peers knows only the base fee.',
    }),
    currentOwner: option(Fields.RECEIVER, {
      defaultText: 'read from the upstream',
      help: 'Owners of the subnet or validator that the transaction changes, and for which they sign.',
    }),
  }),
  ...group('Custom networks', {
    avaxAsset: option(Fields.ID, { help: 'Id of the asset AVAX.' }),
    xChain: option(Fields.ID, { help: 'Id of the X-chain.' }),
    cChain: option(Fields.ID, { help: 'Id of the C-chain.' }),
  }),
  ...Common.STAKING,
  ...group('Output', {
    dryRun: option(Type.flag, {
      default: false,
      help: 'Print what the transaction does, its fee and the UTXOs that it spends, without signing it.',
    }),
    ...JSON_OUTPUT,
    ...SEND,
  }),
}

/** Options of single commands that replace what a node knows. */
type More = {
  readonly exported?: string | undefined
  readonly account?: string | undefined
  readonly balance?: bigint | undefined
  readonly nonce?: bigint | undefined
}

export type Options = Values<typeof WALLET> & More

/** The resolved options of one command. */
export interface Setting {
  readonly options: Options
  readonly keys: readonly Uint8Array[]
  /** Human-readable part of the network's addresses. */
  readonly hrp: string
  /** The input of the wallet's operations. Its node answers from the options first, then from the upstream. */
  readonly context: Context
  readonly upstream: Node | undefined
}

/** Factor that is applied to the minimum price of gas if there is no node. */
const BID = 2n

const missing = (options: string, what: string): never => {
  throw new CliError('CLI_USAGE', `pass ${options} to provide ${what}`)
}

/** Resolves the options of a command to keys, signers and a node. */
export const settingOf = async (options: Options, terminal: Terminal): Promise<Setting> => {
  const { signal } = terminal
  const upstream =
    options.upstream === undefined
      ? undefined
      : createNode({ url: options.upstream, cChainUrl: options.cChainRpc, fetch: terminal.fetch })
  const keys = options.keys === undefined ? [] : Keys.read(options.keys)
  const publicKeys = keys.map((key) => PrivateKey.publicKey(key))
  if (keys.length === 0 && options.from === undefined && options.account === undefined)
    throw new CliError('CLI_USAGE', 'pass --keys <file> or --from <address…> to name the signers')
  const networkId = await networkIdOf(options.network, upstream, signal)
  const constants = Networks.of(networkId)
  const addresses =
    options.from?.map((text) => payloadOf(text, constants)) ?? publicKeys.map((key) => PublicKey.address(key))
  const accounts =
    options.account === undefined
      ? publicKeys.map((key) => PublicKey.evmAddress(key))
      : [EvmAddress.parse(options.account)]
  const network = await networkIds({ options, constants, upstream, signal })
  const { change, time } = options
  return {
    options,
    keys,
    hrp: constants.hrp,
    upstream,
    context: {
      node: nodeOf({ options, constants, upstream, network }),
      network,
      addresses,
      accounts,
      time: time ?? BigInt(Math.floor(Date.now() / 1000)),
      signal,
      ...(change === undefined ? {} : { changeOwners: ownersOf(change, constants) }),
    },
  }
}

/** Returns the id of the upstream's network, which must have the given name; without an upstream, the id in the name. */
const networkIdOf = async (
  name: string | undefined,
  upstream: Node | undefined,
  signal: AbortSignal,
): Promise<number> => {
  if (upstream === undefined) return name === undefined ? Network.MAINNET : Network.parseName(name)
  const networkId = await upstream.networkId(signal)
  if (name === undefined || Network.isNamed(name, networkId)) return networkId
  const [first = '', ...others] = Network.names(networkId)
  throw new CliError(
    'CLI_USAGE',
    `--network is ${name}, but the network of --upstream is ${first} (also ${others.join(', ')}); leave out --network, or pass another node`,
  )
}

type Known = {
  readonly options: Options
  readonly constants: Networks.Constants
  readonly upstream: Node | undefined
}

/** Returns the ids of the network. Unknown ids are an error only if a transaction needs them. */
const networkIds = async ({
  options: { avaxAsset, xChain, cChain },
  constants: { networkId, hrp, ids, name },
  upstream,
  signal,
}: Known & { readonly signal: AbortSignal }): Promise<NetworkIds> => {
  const read = ids === undefined && upstream !== undefined ? await upstream.network(signal) : undefined
  const known = (given: string | undefined, found: Uint8Array | undefined, flag: string): Uint8Array =>
    given === undefined ? (found ?? missing(flag, `its value for the network ${name}`)) : Id.parse(given)
  return {
    networkId,
    hrp,
    get avaxAssetId() {
      return known(avaxAsset, ids?.avaxAssetId ?? read?.avaxAssetId, '--avax-asset <id> or --upstream <url>')
    },
    blockchainIds: {
      P: Networks.PRIMARY_NETWORK_ID,
      get X() {
        return known(xChain, ids?.xChainId ?? read?.blockchainIds.X, '--x-chain <id> or --upstream <url>')
      },
      get C() {
        return known(cChain, ids?.cChainId ?? read?.blockchainIds.C, '--c-chain <id> or --upstream <url>')
      },
    },
  }
}

const PUBLIC = [Network.MAINNET, Network.FUJI]
const OTHER_LIMITS =
  'If the nodes of the network have other limits, pass them (--min-validator-stake, --min-stake-duration, …).'

/** Returns the limits of stakes: from the options, else of the upstream, else of the network. */
const stakingLimits = async ({
  options,
  constants,
  upstream,
  signal,
}: Known & { readonly signal: AbortSignal | undefined }): Promise<StakingLimits> => {
  const { staking, upgrades } = StakingRules.withStaking(constants, options)
  const { minValidatorStake, minDelegatorStake } = options
  const read = await upstream?.stakingLimits?.(signal).catch(() => undefined)
  // The time of Helicon on a custom network is not known here.
  const { minStakeDuration: least, heliconMinStakeDuration: late } = staking
  const isCustom = !PUBLIC.includes(constants.networkId)
  const isHelicon = upgrades.helicon <= BigInt(Math.floor(Date.now() / 1000))
  return {
    maxValidatorStake: staking.maxValidatorStake,
    minValidatorStake: minValidatorStake ?? read?.minValidatorStake ?? staking.minValidatorStake,
    minDelegatorStake: minDelegatorStake ?? read?.minDelegatorStake ?? staking.minDelegatorStake,
    minDelegatorPeriod: least,
    minValidatorPeriod: late < least && (isCustom || isHelicon) ? late : least,
    maxPeriod: staking.maxStakeDuration,
    remedy: isCustom ? OTHER_LIMITS : undefined,
  }
}

/** Returns a node that answers from the options and the network's constants, otherwise from the upstream. */
const nodeOf = ({
  options,
  constants,
  upstream,
  network,
}: Known & { readonly network: NetworkIds }): Node => {
  const { utxos, exported, baseFee, gasPrice, currentOwner, balance, nonce } = options
  const asked = (needed: string, what: string): Node =>
    upstream ?? missing(`${needed} or --upstream <url>`, what)
  const issuer = (): Node => upstream ?? missing('--upstream <url>', 'the node that issues the transaction')
  const { weights, minPrice } = constants.dynamicFee
  const owners = currentOwner === undefined ? undefined : ownersOf(currentOwner, constants)
  const ofOwner = () => asked('--current-owner <owners>', 'the owners that must sign')
  // A series asks for the UTXOs before each transaction, but standard input can be read only once.
  const read = new Map<string, readonly Coins.AnyUtxo[]>()
  const utxosOf = (chain: ChainAlias, file: string): readonly Coins.AnyUtxo[] => {
    const known = read.get(file) ?? Source.utxos(chain, file)
    read.set(file, known)
    return known
  }
  return {
    networkId: async () => network.networkId,
    network: async () => network,
    async utxos(chain, addresses, source, signal): Promise<readonly Coins.AnyUtxo[]> {
      const file = source === undefined ? utxos : exported
      if (file !== undefined) return utxosOf(chain, file)
      // An import needs no UTXOs of the destination chain if the imported funds cover the fee.
      if (source === undefined && exported !== undefined && upstream === undefined) return []
      const [flag, what] =
        source === undefined ? ['--utxos <file>', 'the UTXOs'] : ['--exported <file>', 'the exported UTXOs']
      return asked(flag, what).utxos(chain, addresses, source, signal)
    },
    async platformFees(signal) {
      if (gasPrice !== undefined) return { weights, gasPrice }
      return upstream?.platformFees(signal) ?? { weights, gasPrice: BID * minPrice }
    },
    stakingLimits: (signal) => stakingLimits({ options, constants, upstream, signal }),
    avmFees: async (signal) =>
      upstream?.avmFees(signal) ?? { tx: constants.txFee, createAsset: constants.createAssetTxFee },
    baseFee: async (signal) =>
      baseFee ?? asked('--base-fee <wei>', 'the base fee of the C-chain').baseFee(signal),
    heliconTime: async (signal) => {
      // Without an upstream, the limits before Helicon apply unless the network's upgrades are known.
      if (upstream?.heliconTime !== undefined) return upstream.heliconTime(signal)
      return constants.upgrades.helicon
    },
    async account(address, signal) {
      if (nonce !== undefined) {
        const read = async () => (await upstream?.account(address, signal).catch(() => undefined))?.balance
        return { address, balance: balance ?? (await read()) ?? UNCHECKED_BALANCE, nonce }
      }
      const name = EvmAddress.format(address)
      const read = await asked('--balance and --nonce', `the account ${name}`).account(address, signal)
      return { address, balance: balance ?? read.balance, nonce: read.nonce }
    },
    evm: async (method, params, signal) => issuer().evm(method, params, signal),
    subnetOwner: async (subnetId, signal) => owners ?? ofOwner().subnetOwner(subnetId, signal),
    l1Validator: async (validationId, signal) =>
      owners === undefined
        ? ofOwner().l1Validator(validationId, signal)
        : { deactivationOwner: owners, balance: undefined },
    renewalAuthority: async (txId, signal) => owners ?? ofOwner().renewalAuthority(txId, signal),
    issue: async (chain, tx, signal) => issuer().issue(chain, tx, signal),
    state: async (chain, txId, signal) => issuer().state(chain, txId, signal),
  }
}

/** Parses an address and returns its 20 bytes. The address must belong to the network. */
const payloadOf = (text: string, { hrp, name }: Pick<Networks.Constants, 'hrp' | 'name'>): Uint8Array => {
  const full = text.includes('-') ? text : `P-${text}`
  if (Address.parse(full).hrp === hrp) return Address.parseBytes(full)
  throw new CliError('CLI_USAGE', `expected an address of ${name} (${hrp}1…), got ${text}`)
}

const ownersOf = (given: Receiver, constants: Networks.Constants) => {
  if (typeof given === 'string') return Wallet.soleOwner(payloadOf(given, constants))
  const payloads = given.addresses.map((text) => payloadOf(text, constants))
  return Wallet.owners(given.threshold, payloads, given.locktime)
}
