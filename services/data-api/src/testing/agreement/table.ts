import { BALANCE_CHECKS } from './balanceChecks.ts'
import { EVM_CHECKS } from './evmChecks.ts'
import { ICM_CHECKS } from './icmChecks.ts'
import { L1_CHECKS } from './l1Checks.ts'
import { LEDGER_CHECKS } from './ledgerChecks.ts'
import { METRIC_CHECKS } from './metricChecks.ts'
import { STAKING_CHECKS } from './stakingChecks.ts'
import { TOKEN_CHECKS } from './tokenChecks.ts'

/** Comparisons of all operations of the Primary Network, by operation. */
export const NETWORK_CHECKS = { ...LEDGER_CHECKS, ...BALANCE_CHECKS, ...STAKING_CHECKS, ...L1_CHECKS }

/** Comparisons of all operations of an EVM chain, by operation. */
export const CHAIN_CHECKS = { ...EVM_CHECKS, ...TOKEN_CHECKS, ...METRIC_CHECKS }

export { ICM_CHECKS }

const DETAIL = 'compared with the lists that show it'
const OPERATOR = 'what an operator or a caller stored, not data of a chain'
const OTHER_TEST = (file: string) => `compared in ${file}`

/** Operations without a comparison, with the reason. */
export const REASONS: Readonly<Record<string, string>> = {
  getBlock: DETAIL,
  getBlockById: DETAIL,
  getBlockchainById: DETAIL,
  getSubnetById: DETAIL,
  getTxByHash: DETAIL,
  getVertexByHash: DETAIL,
  getAssetDetails: DETAIL,
  getTransaction: DETAIL,
  getDeploymentTransaction: DETAIL,
  getTokenDetails: DETAIL,
  getChain: DETAIL,
  getChainInfo: DETAIL,
  getIcmMessage: DETAIL,
  getTeleporterMessage: DETAIL,
  getNativeBalance: 'a node returns the value',
  getCompleteness: OTHER_TEST('ServiceOfChains.test.ts'),
  getAvaxSupply: OTHER_TEST('avaxSupply.test.ts'),
  getSupplyCalculation: OTHER_TEST('avaxSupply.test.ts'),
  getUtxosByAddressesV2: OTHER_TEST('PostList.test.ts'),
  getLastActivityTimestampByAddressesV2: OTHER_TEST('PostList.test.ts'),
  listEvents: OTHER_TEST('Demo.test.ts, because recorded chains have no decoded events'),
  getAddressesByBtcbBridged: OTHER_TEST('listBtcbBridgers.test.ts, because recorded chains have no BTC.b'),
  getAggregatedSignatures: 'a signature aggregator returns the value',
  getOperationResult: 'exports are compared with the database in Exports.test.ts',
  getApiLogs: OPERATOR,
  getApiUsageMetrics: OPERATOR,
  getRpcUsageMetrics: OPERATOR,
  getSubnetRpcUsageMetrics: OPERATOR,
  listWebhooks: OPERATOR,
  getWebhook: OPERATOR,
  getAddressesFromWebhook: OPERATOR,
  listWebhookDeliveries: OPERATOR,
  getSharedSecret: OPERATOR,
  dataHealthCheck: 'state of the service',
  liveCheck: 'state of the service',
  metricsHealthCheck: 'state of the service',
  metricsLiveCheck: 'state of the service',
}
