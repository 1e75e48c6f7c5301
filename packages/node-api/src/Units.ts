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
 * Units that a call of each method costs. The size of its body, the elements of its parameters and a long
 * answer cost more; an answer from the cache costs only the former.
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
