import type {
  AdminMethods,
  AvaxMethods,
  AvmMethods,
  HealthMethods,
  IndexMethods,
  InfoMethods,
  MethodTable,
  PlatformMethods,
  ProposerVmMethods,
  WalletMethods,
} from '@firn/rpc'

/** Names of all methods that a node API serves. */
export type MethodName =
  | keyof typeof AdminMethods
  | keyof typeof AvaxMethods
  | keyof typeof AvmMethods
  | keyof typeof HealthMethods
  | keyof typeof IndexMethods
  | keyof typeof InfoMethods
  | keyof typeof PlatformMethods
  | keyof typeof ProposerVmMethods
  | keyof typeof WalletMethods

/** A table of methods, each of which has an entry in {@link METHODS}. */
export type PricedTable<T> = MethodTable & { readonly [M in keyof T]: M extends MethodName ? unknown : never }

/** Units of a request that is answered from memory, or by one lookup: about 0.1 ms of processor time. */
const LOOKUP = 1
/** Units of a request that reads up to a page of rows. */
const PAGE = 4
/** Units of a request that reads a whole set, such as the validators of a subnet. */
const SET = 20
/** Units of a request that checks signatures, or that another node answers. */
const WORK = 10

/**
 * Units that a call of each method costs. The size of its body and the elements of its parameters cost more
 * ({@link bodyUnits}, {@link elementUnits}); an answer from the cache costs only the former.
 */
export const METHODS: Readonly<Record<MethodName, number>> = {
  'admin.alias': LOOKUP,
  'admin.aliasChain': LOOKUP,
  'admin.getChainAliases': LOOKUP,
  'admin.getLoggerLevel': LOOKUP,
  'admin.setLoggerLevel': LOOKUP,
  'admin.loadVMs': WORK,
  'admin.startCPUProfiler': WORK,
  'admin.stopCPUProfiler': WORK,
  'admin.memoryProfile': WORK,
  'admin.lockProfile': WORK,
  'admin.stacktrace': WORK,
  'admin.getConfig': LOOKUP,
  'admin.dbGet': LOOKUP,
  'avax.getAtomicTx': LOOKUP,
  'avax.getAtomicTxStatus': LOOKUP,
  'avax.getUTXOs': PAGE,
  'avax.issueTx': WORK,
  'avm.getAllBalances': PAGE,
  'avm.getBalance': PAGE,
  'avm.getAssetDescription': LOOKUP,
  'avm.getBlock': LOOKUP,
  'avm.getBlockByHeight': LOOKUP,
  'avm.getHeight': LOOKUP,
  'avm.getTx': LOOKUP,
  'avm.getTxFee': LOOKUP,
  'avm.getTxStatus': LOOKUP,
  'avm.getUTXOs': PAGE,
  'avm.issueTx': WORK,
  'health.health': LOOKUP,
  'health.liveness': LOOKUP,
  'health.readiness': LOOKUP,
  'index.getContainerByID': LOOKUP,
  'index.getContainerByIndex': LOOKUP,
  'index.getContainerRange': PAGE,
  'index.getIndex': LOOKUP,
  'index.getLastAccepted': LOOKUP,
  'index.isAccepted': LOOKUP,
  'info.acps': LOOKUP,
  'info.getBlockchainID': LOOKUP,
  'info.getNetworkID': LOOKUP,
  'info.getNetworkName': LOOKUP,
  'info.getNodeID': LOOKUP,
  'info.getNodeIP': LOOKUP,
  'info.getNodeVersion': LOOKUP,
  'info.getTxFee': LOOKUP,
  'info.getVMs': LOOKUP,
  'info.isBootstrapped': LOOKUP,
  'info.peers': PAGE,
  'info.upgrades': LOOKUP,
  'info.uptime': SET,
  'platform.getHeight': LOOKUP,
  'platform.getProposedHeight': LOOKUP,
  'platform.getTimestamp': LOOKUP,
  'platform.getBlock': LOOKUP,
  'platform.getBlockByHeight': LOOKUP,
  'platform.getTx': LOOKUP,
  'platform.getTxStatus': LOOKUP,
  'platform.issueTx': WORK,
  'platform.getSubnet': LOOKUP,
  'platform.getSubnets': SET,
  'platform.getBlockchains': SET,
  'platform.getBlockchainStatus': LOOKUP,
  'platform.validatedBy': LOOKUP,
  'platform.validates': PAGE,
  'platform.getFeeConfig': LOOKUP,
  'platform.getFeeState': LOOKUP,
  'platform.getValidatorFeeConfig': LOOKUP,
  'platform.getValidatorFeeState': LOOKUP,
  'platform.getAllValidatorsAt': 4 * SET,
  'platform.getValidatorsAt': SET,
  'platform.getCurrentValidators': SET,
  'platform.getL1Validator': LOOKUP,
  'platform.sampleValidators': SET,
  'platform.getCurrentSupply': LOOKUP,
  'platform.getTotalStake': SET,
  'platform.getMinStake': LOOKUP,
  'platform.getStakingAssetID': LOOKUP,
  'platform.getStake': SET,
  'platform.getRewardUTXOs': PAGE,
  'platform.getUTXOs': PAGE,
  'platform.getBalance': PAGE,
  'proposervm.getProposedHeight': LOOKUP,
  'proposervm.getCurrentEpoch': LOOKUP,
  'wallet.issueTx': WORK,
}

/** Units that every HTTP request costs, before anything else is done for it. */
export const REQUEST = 1
/** Units of a page or document that is not an answer of a method, such as `/ext/metrics`, besides {@link REQUEST}. */
export const DOCUMENT = 9
/** Units of each call that is forwarded to the upstream, besides its size. */
export const FORWARDED = 4

/** Size of a usual request in bytes, which is part of {@link REQUEST}. */
const USUAL_BYTES = 1_024
/** Bytes that take about as long to parse as a lookup does, if they consist of many short members. */
const BYTES_PER_UNIT = 256
const ANSWER_BYTES_PER_UNIT = 4_096
const BYTES_PER_TUNNEL_UNIT = 128
const ELEMENTS_PER_UNIT = 10
/** No method returns more elements. */
const MAX_ELEMENTS = 65_535

/** Returns the units of a request body, besides {@link REQUEST}. */
export function bodyUnits(bytes: number): number {
  return Math.ceil(Math.max(0, bytes - USUAL_BYTES) / BYTES_PER_UNIT)
}

/** Returns the units of an answer that was not in the cache, besides the units of its method. */
export function answerUnits(bytes: number): number {
  return Math.max(0, Math.ceil(bytes / ANSWER_BYTES_PER_UNIT) - 1)
}

/** Parameters that say how many elements an answer has. */
const REQUESTED: Readonly<Partial<Record<string, string>>> = {
  'platform.sampleValidators': 'size',
  'index.getContainerRange': 'numToFetch',
} satisfies Partial<Record<MethodName, string>>

/** Returns the units of the elements that an answer will have, if the parameters of the call say so. */
export function requestedUnits(method: string, params: unknown): number {
  const name = REQUESTED[method]
  const count = name === undefined ? 0 : Number((params as Readonly<Record<string, unknown>>)[name] ?? 0)
  return Math.floor(Math.min(count, MAX_ELEMENTS) / ELEMENTS_PER_UNIT)
}

/**
 * Returns the units of bytes of a WebSocket that is forwarded. A call in it is seldom shorter than 128 bytes, so it costs
 * about as much as a lookup at least.
 */
export function tunnelUnits(bytes: number): number {
  return bytes / BYTES_PER_TUNNEL_UNIT
}

/**
 * Returns the units of the elements of all lists in parameters. Each id or address must be decoded, which costs several
 * times as much as parsing its text.
 */
export function elementUnits(params: unknown): number {
  let elements = 0
  const open: unknown[] = [params]
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) elements += value.length
    if (typeof value !== 'object' || value === null) continue
    // Pushing with a spread would overflow the stack for long lists.
    for (const child of Object.values(value)) if (typeof child === 'object') open.push(child)
  }
  return Math.floor(elements / ELEMENTS_PER_UNIT)
}
