// Generated from the OpenAPI document. Run npm run openapi to write it again.

import type { ServerEvent } from '../Events.ts'
import type { List } from '../List.ts'
import type { Operation } from '../Operation.ts'
import type { CallOptions } from '../Request.ts'
import type {
  AddressActivityMetadata,
  AddressDetails,
  AnyUtxo,
  AvaxSupplyCalculation,
  AvaxSupplyResponse,
  AverageTpsResponse,
  Blockchain,
  BtcbBridger,
  BtcbBridgersResponse,
  ChainAddressChainIdMapListResponse,
  ChainInfo,
  CollectibleBalance,
  Completeness,
  Contract,
  DecodedEvent,
  DelegatorDetails,
  DetailedSignatureAggregationResponse,
  EVMAddressActivityResponse,
  Erc1155TokenBalance,
  Erc1155Transfer,
  Erc20TokenBalance,
  Erc20Transfer,
  Erc721TokenBalance,
  Erc721Transfer,
  ErcToken,
  ErcTransfer,
  EventLog,
  EvmBlock,
  EvmChain,
  GetNativeBalanceResponse,
  GetNetworkDetailsResponse,
  GetTransactionResponse,
  HealthCheckResult,
  HistoricalReward,
  Holder,
  ICMMetricsApiResponse,
  ICMMetricsValue,
  ICMRollingWindowMetricsApiResponse,
  IcmMessage,
  IcmMessageStory,
  IcmUndeliveredMetadata,
  InternalTransaction,
  L1ValidatorDetailsFull,
  LastActivityTimestamp,
  ListAddressChainsResponse,
  ListBalancesResponse,
  ListBlockTransactionsResponse,
  ListBlockchainsResponse,
  ListChainsResponse,
  ListCollectibleBalancesResponse,
  ListContractsResponse,
  ListDelegatorDetailsResponse,
  ListErc1155BalancesResponse,
  ListErc1155TransactionsResponse,
  ListErc20BalancesResponse,
  ListErc20TransactionsResponse,
  ListErc721BalancesResponse,
  ListErc721TransactionsResponse,
  ListEventsResponse,
  ListEvmBlocksOfAllChainsResponse,
  ListEvmBlocksResponse,
  ListHistoricalRewardsResponse,
  ListHoldersResponse,
  ListIcmMessagesResponse,
  ListInternalTransactionsResponse,
  ListL1ValidatorsResponse,
  ListLogsResponse,
  ListNativeTransactionsResponse,
  ListNftCollectionHoldersResponse,
  ListNftHoldersResponse,
  ListNftTokensResponse,
  ListNftTransfersResponse,
  ListPChainTransactionsResponse,
  ListPendingRewardsResponse,
  ListPrimaryNetworkBlocksResponse,
  ListPrimaryNetworkTransactionsResponse,
  ListProposedBlocksResponse,
  ListSubnetsResponse,
  ListTeleporterMessagesResponse,
  ListTransactionDetailsResponse,
  ListTransactionsOfAllChainsResponse,
  ListTransfersResponse,
  ListUtxosResponse,
  ListValidatorDetailsResponse,
  ListWebhookAddressesResponse,
  ListWebhookDeliveriesResponse,
  ListWebhooksResponse,
  ListXChainTransactionsResponse,
  ListXChainVerticesResponse,
  LogsFormat,
  LogsResponseDTO,
  MetricsApiResponse,
  MetricsListChainsResponse,
  MetricsValue,
  NativeTransaction,
  NftHolder,
  NftHoldersResponse,
  NftTransfer,
  OperationStatusResponse,
  PChainAddressDetails,
  PChainLookingGlassResponse,
  PChainTransaction,
  PendingReward,
  PrimaryNetworkAddressActivityMetadata,
  PrimaryNetworkBlock,
  PrimaryNetworkTransaction,
  ReplayWebhookResponse,
  RollingWindowMetricsApiResponse,
  SharedSecretsResponse,
  SignatureAggregationResponse,
  Subnet,
  SubnetRpcUsageMetricsResponse,
  TeleporterChainMetricsApiResponse,
  TeleporterMessage,
  TestOfWebhookResponse,
  TransactionDetails,
  TransactionExportOptions,
  UsageMetricsResponseDTO,
  ValidatorActivityMetadata,
  ValidatorDetails,
  Webhook,
  WebhookDelivery,
  XChainAssetDetails,
  XChainTransaction,
  XChainVertex,
} from './schemas.ts'

/** Parameters of `listBlockchains`: blockchains in order of creation. */
export interface ListBlockchainsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getBlockchainById`: a blockchain with its genesis. */
export interface GetBlockchainByIdParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
}

/** Parameters of `listSubnets`: subnets with their owners, L1 conversion and blockchains. */
export interface ListSubnetsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getSubnetById`: a subnet with its owners, L1 conversion and blockchains. */
export interface GetSubnetByIdParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Id of a subnet, in CB58 */
  readonly subnetId: string
}

/** Parameters of `listL1Validators`: l1 validators with their balances. */
export interface ListL1ValidatorsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Id of a validation, in CB58 or in hexadecimal */
  readonly l1ValidationId?: string | undefined
  /** Whether to include L1 validators without balance */
  readonly includeInactiveL1Validators?: boolean | undefined
  /** Id of a node */
  readonly nodeId?: string | undefined
  /** Id of a subnet, in CB58 */
  readonly subnetId?: string | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listLatestPrimaryNetworkTransactions`: transactions of the P-, X- or C-chain, newest first. */
export interface ListLatestPrimaryNetworkTransactionsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses?: readonly string[] | undefined
  /** Types of the transactions to list; by default all */
  readonly txTypes?: readonly ('AddValidatorTx' | 'AddSubnetValidatorTx' | 'AddDelegatorTx' | 'CreateChainTx' | 'CreateSubnetTx' | 'ImportTx' | 'ExportTx' | 'AdvanceTimeTx' | 'RewardValidatorTx' | 'RemoveSubnetValidatorTx' | 'TransformSubnetTx' | 'AddPermissionlessValidatorTx' | 'AddPermissionlessDelegatorTx' | 'TransferSubnetOwnershipTx' | 'BaseTx' | 'ConvertSubnetToL1Tx' | 'RegisterL1ValidatorTx' | 'SetL1ValidatorWeightTx' | 'IncreaseL1ValidatorBalanceTx' | 'DisableL1ValidatorTx' | 'AddAutoRenewedValidatorTx' | 'SetAutoRenewedValidatorConfigTx' | 'RewardAutoRenewedValidatorTx' | 'UNKNOWN' | 'CreateAssetTx' | 'OperationTx')[] | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** What the list is sorted by */
  readonly sortBy?: 'timestamp' | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Id of a validation, in CB58 or in hexadecimal */
  readonly l1ValidationId?: string | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getTxByHash`: a transaction of the P-, X- or C-chain. */
export interface GetTxByHashParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Hash of a transaction; an id in CB58 on the Primary Network */
  readonly txHash: string
}

/** Parameters of `listActivePrimaryNetworkStakingTransactions`: transactions of current and pending stakers. */
export interface ListActivePrimaryNetworkStakingTransactionsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses?: readonly string[] | undefined
  /** Types of the transactions to list; by default all */
  readonly txTypes?: readonly ('AddValidatorTx' | 'AddSubnetValidatorTx' | 'AddDelegatorTx' | 'CreateChainTx' | 'CreateSubnetTx' | 'ImportTx' | 'ExportTx' | 'AdvanceTimeTx' | 'RewardValidatorTx' | 'RemoveSubnetValidatorTx' | 'TransformSubnetTx' | 'AddPermissionlessValidatorTx' | 'AddPermissionlessDelegatorTx' | 'TransferSubnetOwnershipTx' | 'BaseTx' | 'ConvertSubnetToL1Tx' | 'RegisterL1ValidatorTx' | 'SetL1ValidatorWeightTx' | 'IncreaseL1ValidatorBalanceTx' | 'DisableL1ValidatorTx' | 'AddAutoRenewedValidatorTx' | 'SetAutoRenewedValidatorConfigTx' | 'RewardAutoRenewedValidatorTx' | 'UNKNOWN' | 'CreateAssetTx' | 'OperationTx')[] | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** What the list is sorted by */
  readonly sortBy?: 'timestamp' | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getBalancesByAddresses`: balances of addresses on the P- or X-chain, or amounts importable to the C-chain. */
export interface GetBalancesByAddressesParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses: readonly string[]
  /** Time at which balances are read, in Unix seconds; by default now */
  readonly blockTimestamp?: number | undefined
}

/** Parameters of `getUtxosByAddresses`: spendable outputs of addresses on a chain, including outputs in shared memory. */
export interface GetUtxosByAddressesParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses?: readonly string[] | undefined
  /** Id of an asset, in CB58; searches at most 10000 outputs of the addresses */
  readonly assetId?: string | undefined
  /** Minimum amount of an output, in the smallest unit of its asset; searches at most 10000 outputs of the addresses */
  readonly minUtxoAmount?: string | undefined
  /** Whether to include spent outputs; searches at most 10000 outputs of the addresses */
  readonly includeSpent?: boolean | undefined
  /** What the list is sorted by. Sorting by amount searches at most 10000 outputs of the addresses; timestamp is the time since which an output can be spent, which for a returned stake is the end of the stake */
  readonly sortBy?: 'timestamp' | 'amount' | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getUtxosByAddressesV2`: spendable outputs of many addresses on a chain, including outputs in shared memory. */
export interface GetUtxosByAddressesV2Parameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Id of an asset, in CB58; searches at most 10000 outputs of the addresses */
  readonly assetId?: string | undefined
  /** Minimum amount of an output, in the smallest unit of its asset; searches at most 10000 outputs of the addresses */
  readonly minUtxoAmount?: string | undefined
  /** Whether to include spent outputs; searches at most 10000 outputs of the addresses */
  readonly includeSpent?: boolean | undefined
  /** What the list is sorted by. Sorting by amount searches at most 10000 outputs of the addresses; timestamp is the time since which an output can be spent, which for a returned stake is the end of the stake */
  readonly sortBy?: 'timestamp' | 'amount' | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses: readonly string[]
}

/** Parameters of `listHistoricalPrimaryNetworkRewards`: rewards paid to addresses, or for staking on nodes. */
export interface ListHistoricalPrimaryNetworkRewardsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses?: readonly string[] | undefined
  /** Ids of nodes */
  readonly nodeIds?: readonly string[] | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Currency of prices. It is ignored, because this service has no prices. */
  readonly currency?: 'usd' | 'eur' | 'aud' | 'cad' | 'chf' | 'clp' | 'cny' | 'czk' | 'dkk' | 'gbp' | 'hkd' | 'huf' | 'jpy' | 'nzd' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listPendingPrimaryNetworkRewards`: pending rewards of addresses, or for staking on nodes. */
export interface ListPendingPrimaryNetworkRewardsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses?: readonly string[] | undefined
  /** Ids of nodes */
  readonly nodeIds?: readonly string[] | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getNetworkDetails`: number and stake of the Primary Network’s validators and delegators. */
export interface GetNetworkDetailsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
}

/** Parameters of `listValidators`: current and past validators of the Primary Network and of subnets. */
export interface ListValidatorsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Ids of nodes */
  readonly nodeIds?: readonly string[] | undefined
  /** Id of a subnet, in CB58 */
  readonly subnetId?: string | undefined
  /** Status of the validations to list; by default all */
  readonly validationStatus?: 'completed' | 'active' | 'pending' | 'removed' | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** What the list is sorted by */
  readonly sortBy?: 'blockIndex' | 'delegationCapacity' | 'timeRemaining' | 'delegationFee' | 'uptimePerformance' | undefined
  /** Minimum capacity for delegations, in nAVAX */
  readonly minDelegationCapacity?: string | undefined
  /** Maximum capacity for delegations, in nAVAX */
  readonly maxDelegationCapacity?: string | undefined
  /** Minimum remaining time of the validation, in seconds */
  readonly minTimeRemaining?: number | undefined
  /** Maximum remaining time of the validation, in seconds */
  readonly maxTimeRemaining?: number | undefined
  /** Minimum commission, in percent */
  readonly minFeePercentage?: number | undefined
  /** Maximum commission, in percent */
  readonly maxFeePercentage?: number | undefined
  /** Minimum uptime, in percent */
  readonly minUptimePerformance?: number | undefined
  /** Maximum uptime, in percent */
  readonly maxUptimePerformance?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getSingleValidatorDetails`: past, current and pending validations of a node. */
export interface GetSingleValidatorDetailsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Id of a node */
  readonly nodeId: string
  /** Status of the validations to list; by default all */
  readonly validationStatus?: 'completed' | 'active' | 'pending' | 'removed' | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listDelegators`: current and past delegations on the Primary Network. */
export interface ListDelegatorsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Addresses that receive the rewards, in bech32 or in hexadecimal */
  readonly rewardAddresses?: readonly string[] | undefined
  /** Ids of nodes */
  readonly nodeIds?: readonly string[] | undefined
  /** Status of the delegations to list; by default all */
  readonly delegationStatus?: 'completed' | 'active' | 'pending' | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getChainIdsForAddresses`: the chains on which addresses have transactions or spendable outputs. */
export interface GetChainIdsForAddressesParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses: readonly string[]
}

/** Parameters of `getLastActivityTimestampByAddresses`: time at which outputs of addresses were last created or consumed. */
export interface GetLastActivityTimestampByAddressesParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses: readonly string[]
}

/** Parameters of `getLastActivityTimestampByAddressesV2`: time at which outputs of many addresses were last created or consumed. */
export interface GetLastActivityTimestampByAddressesV2Parameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses: readonly string[]
}

/** Parameters of `listLatestPrimaryNetworkBlocks`: blocks of the P-, X- or C-chain, newest first. */
export interface ListLatestPrimaryNetworkBlocksParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listPrimaryNetworkBlocksByNodeId`: blocks that a node proposed on the P-, X- or C-chain, newest first. */
export interface ListPrimaryNetworkBlocksByNodeIdParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Id of a node */
  readonly nodeId: string
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getBlockById`: a block of the P-, X- or C-chain. */
export interface GetBlockByIdParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Number or hash of a block */
  readonly blockId: string
}

/** Parameters of `listLatestXChainVertices`: vertices of the X-chain, the last one first. */
export interface ListLatestXChainVerticesParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getVertexByHeight`: vertices of the X-chain that declare a height. */
export interface GetVertexByHeightParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Height that the listed vertices declare */
  readonly vertexHeight?: number | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getVertexByHash`: a vertex of the X-chain. */
export interface GetVertexByHashParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Id of a vertex, in CB58 */
  readonly vertexHash: string
}

/** Parameters of `getAssetDetails`: an X-chain asset. */
export interface GetAssetDetailsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Id of an asset, in CB58 */
  readonly assetId: string
}

/** Parameters of `listAssetTransactions`: x-chain transactions that consume or create outputs of an asset. */
export interface ListAssetTransactionsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58 */
  readonly blockchainId: string
  /** Id of an asset, in CB58 */
  readonly assetId: string
  /** Types of the transactions to list; by default all */
  readonly txTypes?: readonly ('AddValidatorTx' | 'AddSubnetValidatorTx' | 'AddDelegatorTx' | 'CreateChainTx' | 'CreateSubnetTx' | 'ImportTx' | 'ExportTx' | 'AdvanceTimeTx' | 'RewardValidatorTx' | 'RemoveSubnetValidatorTx' | 'TransformSubnetTx' | 'AddPermissionlessValidatorTx' | 'AddPermissionlessDelegatorTx' | 'TransferSubnetOwnershipTx' | 'BaseTx' | 'ConvertSubnetToL1Tx' | 'RegisterL1ValidatorTx' | 'SetL1ValidatorWeightTx' | 'IncreaseL1ValidatorBalanceTx' | 'DisableL1ValidatorTx' | 'AddAutoRenewedValidatorTx' | 'SetAutoRenewedValidatorConfigTx' | 'RewardAutoRenewedValidatorTx' | 'UNKNOWN' | 'CreateAssetTx' | 'OperationTx')[] | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `aggregateSignatures`: collect signatures for a Warp message. */
export interface AggregateSignaturesParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Whether the answer includes the result of each validator */
  readonly report?: boolean | undefined
  /** Whether the answer includes the validator set */
  readonly proof?: boolean | undefined
  /** Unsigned Warp message, or the data of the SendWarpMessage event that contains it, in hexadecimal with or without 0x */
  readonly message?: string | undefined
  /** Justification that P-chain validators require, in hexadecimal with or without 0x */
  readonly justification?: string | undefined
  /** Subnet whose validators sign; by default the subnet of the source chain of the message, in CB58 */
  readonly signingSubnetId?: string | undefined
  /** Percentage of the total weight that must sign */
  readonly quorumPercentage?: number | undefined
  /** Additional percentage of the weight to collect if possible */
  readonly quorumPercentageBuffer?: number | undefined
  /** P-chain height of the validator set; 0 for the proposed height */
  readonly pChainHeight?: number | undefined
  /** Id of the chain that is to verify the message; the response then has signedMessages for the heights that the chain may use, in CB58 */
  readonly destinationChain?: string | undefined
  /** Milliseconds within which the aggregator must answer */
  readonly deadlineMs?: number | undefined
  /** Milliseconds for which validators are asked again that do not know the message yet, for messages that were just sent */
  readonly waitMs?: number | undefined
}

/** Parameters of `getAggregatedSignatures`: the signed Warp message of a P-chain L1 transaction. */
export interface GetAggregatedSignaturesParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Hash of a transaction; an id in CB58 on the Primary Network */
  readonly txHash: string
}

/** Parameters of `getLatestBlocks`: blocks of a chain, newest first. */
export interface GetLatestBlocksParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getBlock`: a block, by number or hash. */
export interface GetBlockParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Number or hash of a block */
  readonly blockId: string
}

/** Parameters of `getTransactionsForBlock`: the transactions of a block, in block order. */
export interface GetTransactionsForBlockParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Number or hash of a block */
  readonly blockId: string
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listLatestTransactions`: transactions of a chain, newest first. */
export interface ListLatestTransactionsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Status of the transactions to list; by default all */
  readonly status?: 'failed' | 'success' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listTransactions`: transactions of an address, with its native transfer, token transfers and internal calls in each. */
export interface ListTransactionsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** First block of the list; by default the first block of the chain */
  readonly startBlock?: number | undefined
  /** Block before which the list ends: the block itself is not included. By default, the list includes the newest block. */
  readonly endBlock?: number | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listNativeTransactions`: transactions from or to an address, newest first. */
export interface ListNativeTransactionsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** First block of the list; by default the first block of the chain */
  readonly startBlock?: number | undefined
  /** Block before which the list ends: the block itself is not included. By default, the list includes the newest block. */
  readonly endBlock?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listInternalTransactions`: internal calls from or to an address, newest first. */
export interface ListInternalTransactionsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** First block of the list; by default the first block of the chain */
  readonly startBlock?: number | undefined
  /** Block before which the list ends: the block itself is not included. By default, the list includes the newest block. */
  readonly endBlock?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listLogs`: logs of contracts, newest first, by contract and topics. A page can have fewer logs than requested, or none: continue while there is a nextPageToken.. */
export interface ListLogsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses?: readonly string[] | undefined
  /** Accepted values of the first topic */
  readonly topic0?: readonly string[] | undefined
  /** Accepted values of the second topic */
  readonly topic1?: readonly string[] | undefined
  /** Accepted values of the third topic */
  readonly topic2?: readonly string[] | undefined
  /** Accepted values of the fourth topic */
  readonly topic3?: readonly string[] | undefined
  /** First block of the list; by default the first block of the chain */
  readonly startBlock?: number | undefined
  /** Block before which the list ends: the block itself is not included. By default, the list includes the newest block. */
  readonly endBlock?: number | undefined
  /** Whether calls and logs are decoded: by verified ABIs, else by lists of signatures, which is a guess. Each decoded value tells its source. */
  readonly decode?: boolean | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listEvents`: decoded events, newest first, by contract and arguments. The name is the event’s, such as Transfer, or the ABI’s and the event’s, such as ERC20.Transfer. With args, a page can have fewer events than requested, or none: continue while there is a nextPageToken.. */
export interface ListEventsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Name of an event */
  readonly name: string
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses?: readonly string[] | undefined
  /** Values that parameters of the event have, all of them, as `<name>=<value>`: integers as decimal text, addresses and bytes as 0x text, `true` or `false`. Of an indexed string, bytes, array or tuple, the value is its hash. */
  readonly args?: readonly string[] | undefined
  /** First block of the list; by default the first block of the chain */
  readonly startBlock?: number | undefined
  /** Block before which the list ends: the block itself is not included. By default, the list includes the newest block. */
  readonly endBlock?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listContractDeployments`: contracts created by transactions of an address, newest first. */
export interface ListContractDeploymentsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getContractMetadata`: a contract, its metadata and its creator. */
export interface GetContractMetadataParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
}

/** Parameters of `listErc20Transactions`: transfers of ERC-20 tokens from or to an address, newest first. */
export interface ListErc20TransactionsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** First block of the list; by default the first block of the chain */
  readonly startBlock?: number | undefined
  /** Block before which the list ends: the block itself is not included. By default, the list includes the newest block. */
  readonly endBlock?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listErc721Transactions`: transfers of ERC-721 tokens from or to an address, newest first. */
export interface ListErc721TransactionsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** First block of the list; by default the first block of the chain */
  readonly startBlock?: number | undefined
  /** Block before which the list ends: the block itself is not included. By default, the list includes the newest block. */
  readonly endBlock?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listErc1155Transactions`: transfers of ERC-1155 tokens from or to an address, newest first. */
export interface ListErc1155TransactionsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** First block of the list; by default the first block of the chain */
  readonly startBlock?: number | undefined
  /** Block before which the list ends: the block itself is not included. By default, the list includes the newest block. */
  readonly endBlock?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listTransfers`: transfers of a contract’s tokens, newest first. */
export interface ListTransfersParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** First block of the list; by default the first block of the chain */
  readonly startBlock?: number | undefined
  /** Block before which the list ends: the block itself is not included. By default, the list includes the newest block. */
  readonly endBlock?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getTransaction`: a transaction with its token transfers and internal calls. */
export interface GetTransactionParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Hash of a transaction; an id in CB58 on the Primary Network */
  readonly txHash: string
  /** Currency of prices. It is ignored, because this service has no prices. */
  readonly currency?: 'usd' | 'eur' | 'aud' | 'cad' | 'chf' | 'clp' | 'cny' | 'czk' | 'dkk' | 'gbp' | 'hkd' | 'huf' | 'jpy' | 'nzd' | undefined
  /** Whether calls and logs are decoded: by verified ABIs, else by lists of signatures, which is a guess. Each decoded value tells its source. */
  readonly decode?: boolean | undefined
}

/** Parameters of `getDeploymentTransaction`: the transaction that created a contract. */
export interface GetDeploymentTransactionParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Currency of prices. It is ignored, because this service has no prices. */
  readonly currency?: 'usd' | 'eur' | 'aud' | 'cad' | 'chf' | 'clp' | 'cny' | 'czk' | 'dkk' | 'gbp' | 'hkd' | 'huf' | 'jpy' | 'nzd' | undefined
  /** Whether calls and logs are decoded: by verified ABIs, else by lists of signatures, which is a guess. Each decoded value tells its source. */
  readonly decode?: boolean | undefined
}

/** Parameters of `getNativeBalance`: balance of an address in the chain’s native token. */
export interface GetNativeBalanceParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Number of the block at the end of which balances are read; by default the newest */
  readonly blockNumber?: number | undefined
  /** Currency of prices. It is ignored, because this service has no prices. */
  readonly currency?: 'usd' | 'eur' | 'aud' | 'cad' | 'chf' | 'clp' | 'cny' | 'czk' | 'dkk' | 'gbp' | 'hkd' | 'huf' | 'jpy' | 'nzd' | undefined
}

/** Parameters of `listErc20Balances`: eRC-20 balances of an address, sorted by contract. */
export interface ListErc20BalancesParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Number of the block at the end of which balances are read; by default the newest */
  readonly blockNumber?: number | undefined
  /** Addresses of contracts; only tokens of these contracts are listed */
  readonly contractAddresses?: readonly string[] | undefined
  /** Whether to leave out tokens with any of `spamReasons`; by default true for ERC-20 tokens, false for NFTs */
  readonly filterSpamTokens?: boolean | undefined
  /** Currency of prices. It is ignored, because this service has no prices. */
  readonly currency?: 'usd' | 'eur' | 'aud' | 'cad' | 'chf' | 'clp' | 'cny' | 'czk' | 'dkk' | 'gbp' | 'hkd' | 'huf' | 'jpy' | 'nzd' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listErc721Balances`: eRC-721 tokens that an address owns, sorted by contract and id. */
export interface ListErc721BalancesParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Address of a contract; only tokens of this contract are listed */
  readonly contractAddress?: string | undefined
  /** Whether to leave out tokens with any of `spamReasons`; by default true for ERC-20 tokens, false for NFTs */
  readonly filterSpamTokens?: boolean | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listErc1155Balances`: eRC-1155 balances of an address, sorted by contract and id. */
export interface ListErc1155BalancesParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Number of the block at the end of which balances are read; by default the newest */
  readonly blockNumber?: number | undefined
  /** Address of a contract; only tokens of this contract are listed */
  readonly contractAddress?: string | undefined
  /** Whether to leave out tokens with any of `spamReasons`; by default true for ERC-20 tokens, false for NFTs */
  readonly filterSpamTokens?: boolean | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listCollectibleBalances`: eRC-721 and ERC-1155 tokens of an address, sorted by contract and id. */
export interface ListCollectibleBalancesParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Address of a contract; only tokens of this contract are listed */
  readonly contractAddress?: string | undefined
  /** Whether to leave out tokens with any of `spamReasons`; by default true for ERC-20 tokens, false for NFTs */
  readonly filterSpamTokens?: boolean | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listTokens`: tokens of an ERC-721 or ERC-1155 contract, lowest id first. */
export interface ListTokensParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getTokenDetails`: a token of an ERC-721 or ERC-1155 contract. */
export interface GetTokenDetailsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Token id within the contract, as decimal text */
  readonly tokenId: string
}

/** Parameters of `reindexNft`: request an early refresh of a token’s metadata. */
export interface ReindexNftParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Token id within the contract, as decimal text */
  readonly tokenId: string
}

/** Parameters of `listNftTransfers`: transfers of one ERC-721 or ERC-1155 token, newest first. */
export interface ListNftTransfersParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Token id within the contract, as decimal text */
  readonly tokenId: string
  /** First block of the list; by default the first block of the chain */
  readonly startBlock?: number | undefined
  /** Block before which the list ends: the block itself is not included. By default, the list includes the newest block. */
  readonly endBlock?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listNftHolders`: the owner of an ERC-721 token, or the holders of an ERC-1155 token, after a block, most tokens first. */
export interface ListNftHoldersParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Token id within the contract, as decimal text */
  readonly tokenId: string
  /** Number of the block at the end of which balances are read; by default the newest */
  readonly blockNumber?: number | undefined
  /** Balance that listed holders must exceed, in the smallest unit of the token */
  readonly threshold?: string | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listNftCollectionHolders`: addresses that hold tokens of an ERC-721 or ERC-1155 contract after a block, most tokens first. */
export interface ListNftCollectionHoldersParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Number of the block at the end of which balances are read; by default the newest */
  readonly blockNumber?: number | undefined
  /** Balance that listed holders must exceed, in the smallest unit of the token */
  readonly threshold?: string | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `supportedChains`: the served EVM chains. */
export interface SupportedChainsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Feature that the listed chains must have */
  readonly feature?: 'nftIndexing' | 'webhooks' | 'teleporter' | undefined
}

/** Parameters of `getChainInfo`: a served EVM chain. */
export interface GetChainInfoParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
}

/** Parameters of `listAddressChains`: the chains on which an address has sent or received a transaction, a transfer or a call. */
export interface ListAddressChainsParameters {
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
}

/** Parameters of `getAddressChains`: the chains on which an address has sent or received a transaction, a transfer or a call. */
export interface GetAddressChainsParameters {
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
}

/** Parameters of `listLatestBlocksAllChains`: blocks of all chains, newest first. */
export interface ListLatestBlocksAllChainsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listAllLatestBlocks`: blocks of all chains, newest first. */
export interface ListAllLatestBlocksParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listLatestTransactionsAllChains`: transactions of all chains, newest first. */
export interface ListLatestTransactionsAllChainsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Status of the transactions to list; by default all */
  readonly status?: 'failed' | 'success' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listAllLatestTransactions`: transactions of all chains, newest first. */
export interface ListAllLatestTransactionsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Status of the transactions to list; by default all */
  readonly status?: 'failed' | 'success' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listIcmMessages`: messages between chains, newest first, by route and parties. A page can have fewer messages than requested, or none: continue while there is a nextPageToken.. */
export interface ListIcmMessagesParameters {
  /** Source of the messages: its blockchain id in CB58, or the EVM chain id of a served chain */
  readonly sourceBlockchainId?: string | undefined
  /** Destination of the messages: its blockchain id in CB58, or the EVM chain id of a served chain */
  readonly destinationBlockchainId?: string | undefined
  /** Source or destination of the messages: its blockchain id in CB58, or the EVM chain id of a served chain */
  readonly blockchainId?: string | undefined
  /** Account or contract that sent the messages, 0x and 40 hexadecimal digits */
  readonly from?: string | undefined
  /** Contract to which the messages were sent, 0x and 40 hexadecimal digits */
  readonly to?: string | undefined
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listTeleporterMessages`: messages between chains, newest first, by route and parties. A page can have fewer messages than requested, or none: continue while there is a nextPageToken.. */
export interface ListTeleporterMessagesParameters {
  /** Source of the messages: its blockchain id in CB58, or the EVM chain id of a served chain */
  readonly sourceBlockchainId?: string | undefined
  /** Destination of the messages: its blockchain id in CB58, or the EVM chain id of a served chain */
  readonly destinationBlockchainId?: string | undefined
  /** Source or destination of the messages: its blockchain id in CB58, or the EVM chain id of a served chain */
  readonly blockchainId?: string | undefined
  /** Account or contract that sent the messages, 0x and 40 hexadecimal digits */
  readonly from?: string | undefined
  /** Contract to which the messages were sent, 0x and 40 hexadecimal digits */
  readonly to?: string | undefined
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listIcmMessagesByAddress`: messages between chains from or to an address, newest first. */
export interface ListIcmMessagesByAddressParameters {
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `listTeleporterMessagesByAddress`: messages between chains from or to an address, newest first. */
export interface ListTeleporterMessagesByAddressParameters {
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getIcmMessage`: a message between chains. */
export interface GetIcmMessageParameters {
  /** Id of a message, or of the Warp message that carries it, 64 hexadecimal digits with or without 0x, or in CB58 */
  readonly messageId: string
}

/** Parameters of `getTeleporterMessage`: a message between chains. */
export interface GetTeleporterMessageParameters {
  /** Id of a message, or of the Warp message that carries it, 64 hexadecimal digits with or without 0x, or in CB58 */
  readonly messageId: string
}

/** Parameters of `getIcmMessageStory`: everything that happened to a message, or to a Warp message: sending, signatures, delivery, execution, receipts, fees. */
export interface GetIcmMessageStoryParameters {
  /** Id of a message, or of the Warp message that carries it, 64 hexadecimal digits with or without 0x, or in CB58 */
  readonly messageId: string
  /** Whether the answer includes the signatures of the message, from the signature aggregator */
  readonly signatures?: boolean | undefined
}

/** Parameters of `listChains`: chains with metrics. */
export interface ListChainsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getChain`: a chain with metrics. */
export interface GetChainParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
}

/** Parameters of `getEvmChainMetrics`: a metric of one chain, or of all chains of a network together, newest first. */
export interface GetEvmChainMetricsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Name of the metric */
  readonly metric: 'activeAddresses' | 'activeSenders' | 'cumulativeTxCount' | 'cumulativeAddresses' | 'cumulativeContracts' | 'cumulativeDeployers' | 'gasUsed' | 'txCount' | 'avgGps' | 'maxGps' | 'avgTps' | 'maxTps' | 'avgGasPrice' | 'maxGasPrice' | 'feesPaid' | 'contracts' | 'deployers'
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Length of the intervals */
  readonly timeInterval?: 'hour' | 'day' | 'week' | 'month' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getAverageTps`: transactions per second for each day, newest first. */
export interface GetAverageTpsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Start of the time range, in Unix seconds */
  readonly from?: number | undefined
  /** End of the time range, in Unix seconds */
  readonly to?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
  /** Former name of pageToken */
  readonly startKey?: string | undefined
}

/** Parameters of `getEvmChainRollingWindowMetrics`: a metric for time windows that end with the newest block: an hour, a day, a week, 30, 90 and 365 days, and all time. */
export interface GetEvmChainRollingWindowMetricsParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Name of the metric */
  readonly metric: 'activeAddresses' | 'activeSenders' | 'gasUsed' | 'txCount' | 'avgGps' | 'maxGps' | 'avgTps' | 'maxTps' | 'avgGasPrice' | 'maxGasPrice' | 'feesPaid' | 'contracts' | 'deployers'
}

/** Parameters of `getICMSummary`: numbers of messages between chains for time windows that end with the newest block, in total or by route. */
export interface GetICMSummaryParameters {
  /** Source of the messages: its blockchain id in CB58, or the EVM chain id of a served chain */
  readonly srcBlockchainId?: string | undefined
  /** Destination of the messages: its blockchain id in CB58, or the EVM chain id of a served chain */
  readonly destBlockchainId?: string | undefined
  /** Part of the route to group numbers by; none by default */
  readonly groupBy?: 'srcBlockchainId' | 'destBlockchainId' | 'srcBlockchainId,destBlockchainId' | undefined
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
}

/** Parameters of `getICMTimeseries`: numbers of messages between chains by interval, newest first, in total or by route. Intervals without messages are left out.. */
export interface GetICMTimeseriesParameters {
  /** Source of the messages: its blockchain id in CB58, or the EVM chain id of a served chain */
  readonly srcBlockchainId?: string | undefined
  /** Destination of the messages: its blockchain id in CB58, or the EVM chain id of a served chain */
  readonly destBlockchainId?: string | undefined
  /** Part of the route to group numbers by; none by default */
  readonly groupBy?: 'srcBlockchainId' | 'destBlockchainId' | 'srcBlockchainId,destBlockchainId' | undefined
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Length of the intervals */
  readonly timeInterval?: 'hour' | 'day' | 'week' | 'month' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getTeleporterMetricsByChain`: number of messages that a chain sent to other chains, received from them, or both. */
export interface GetTeleporterMetricsByChainParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Name of the metric */
  readonly metric: 'teleporterSourceTxnCount' | 'teleporterDestinationTxnCount' | 'teleporterTotalTxnCount'
}

/** Parameters of `listHolders`: addresses whose token balance exceeded a threshold within the time range, highest balance first. */
export interface ListHoldersParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Balance that listed holders must exceed, in the smallest unit of the token */
  readonly threshold: string
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getNftHoldersByContractAddress`: addresses that hold tokens of an ERC-721 or ERC-1155 contract, most tokens first. */
export interface GetNftHoldersByContractAddressParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored */
  readonly address: string
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getAddressesByBtcbBridged`: addresses that have bridged more BTC.b than a threshold from Bitcoin, less what they have bridged back, highest amount first. */
export interface GetAddressesByBtcbBridgedParameters {
  /** Balance that listed holders must exceed, in the smallest unit of the token */
  readonly threshold: string
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `createWebhook`: creates a webhook. */
export interface CreateWebhookParameters {
  /** URL to which messages are sent; absent with `stream` */
  readonly url?: string | undefined
  /** Whether the messages are only read at `/v1/webhooks/{id}/messages`, and not sent */
  readonly stream?: boolean | undefined
  /** Name; may be empty */
  readonly name?: string | undefined
  /** Description; may be empty */
  readonly description?: string | undefined
  /** Key of the signatures: the `text` of the secret, or the 32 bytes of which it is the hexadecimal form (`hex`) */
  readonly secretEncoding?: 'text' | 'hex' | undefined
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId?: string | undefined
  /** Kind of the events */
  readonly eventType: 'address_activity' | 'primary_network_address_activity' | 'validator_activity' | 'icm_undelivered'
  readonly metadata: AddressActivityMetadata | PrimaryNetworkAddressActivityMetadata | ValidatorActivityMetadata | IcmUndeliveredMetadata
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Whether messages contain internal calls; messages of a block whose traces no node has returned in time contain none */
  readonly includeInternalTxs?: boolean | undefined
  /** Whether messages contain the logs of the transaction */
  readonly includeLogs?: boolean | undefined
  /** `executed` (default) and `accepted`: sent once the block is stored, which is after its execution; `settled`: sent once a later block declares the results settled (ACP-194) */
  readonly finality?: 'accepted' | 'executed' | 'settled' | undefined
}

/** Parameters of `listWebhooks`: the webhooks of the API key, newest first. */
export interface ListWebhooksParameters {
  /** Status of the webhooks to list; by default all */
  readonly status?: 'active' | 'inactive' | undefined
  /** Kind of the webhooks to list; by default all that the official client knows, which are all but `icm_undelivered` */
  readonly eventType?: 'address_activity' | 'primary_network_address_activity' | 'validator_activity' | 'icm_undelivered' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getWebhook`: a webhook. */
export interface GetWebhookParameters {
  /** Id of a webhook */
  readonly id: string
}

/** Parameters of `updateWebhook`: changes a webhook. */
export interface UpdateWebhookParameters {
  /** Id of a webhook */
  readonly id: string
  /** Name; may be empty */
  readonly name?: string | undefined
  /** Description; may be empty */
  readonly description?: string | undefined
  /** URL to which messages are sent; empty if they are read as a stream */
  readonly url?: string | undefined
  /** Key of the signatures: the `text` of the secret, or the 32 bytes of which it is the hexadecimal form (`hex`) */
  readonly secretEncoding?: 'text' | 'hex' | undefined
  /** Whether messages are sent */
  readonly status?: 'active' | 'inactive' | undefined
  /** Whether messages contain internal calls; messages of a block whose traces no node has returned in time contain none */
  readonly includeInternalTxs?: boolean | undefined
  /** Whether messages contain the logs of the transaction */
  readonly includeLogs?: boolean | undefined
}

/** Parameters of `deactivateWebhook`: deactivates a webhook. */
export interface DeactivateWebhookParameters {
  /** Id of a webhook */
  readonly id: string
}

/** Parameters of `getAddressesFromWebhook`: the addresses that a webhook of an EVM chain observes. */
export interface GetAddressesFromWebhookParameters {
  /** Id of a webhook */
  readonly id: string
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `addAddressesToWebhook`: adds addresses to a webhook of an EVM chain. */
export interface AddAddressesToWebhookParameters {
  /** Id of a webhook */
  readonly id: string
  /** Addresses */
  readonly addresses: readonly string[]
}

/** Parameters of `removeAddressesFromWebhook`: removes addresses from a webhook of an EVM chain. */
export interface RemoveAddressesFromWebhookParameters {
  /** Id of a webhook */
  readonly id: string
  /** Addresses */
  readonly addresses: readonly string[]
}

/** Parameters of `listWebhookDeliveries`: the messages of a webhook that are queued or kept, newest first. */
export interface ListWebhookDeliveriesParameters {
  /** Id of a webhook */
  readonly id: string
  /** States of the messages to list; by default all */
  readonly state?: readonly ('queued' | 'delivered' | 'dead')[] | undefined
  /** Order of the list */
  readonly sortOrder?: 'asc' | 'desc' | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `replayWebhook`: sends kept messages of a webhook again, from a point on, in their order. */
export interface ReplayWebhookParameters {
  /** Id of a webhook */
  readonly id: string
  /** Lowest block of the events; by default any, as decimal text */
  readonly fromBlock?: string | undefined
  /** Earliest time at which the messages were queued; by default any, in Unix seconds */
  readonly fromTimestamp?: number | undefined
  /** Whether only dead messages are sent again */
  readonly deadOnly?: boolean | undefined
}

/** Parameters of `sendTestOfWebhook`: sends a message about an invented event at once, signed as others, and returns the result. */
export interface SendTestOfWebhookParameters {
  /** Id of a webhook */
  readonly id: string
}

/** Parameters of `getStakingMetrics`: number or stake of the validators or delegators of a subnet, or of all subnets, by day, newest first. */
export interface GetStakingMetricsParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name of the metric */
  readonly metric: 'delegatorCount' | 'delegatorWeight' | 'validatorCount' | 'validatorWeight'
  /** Id of a subnet, in CB58 */
  readonly subnetId?: string | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getTotalL1ValidatorMetrics`: fees of all L1 validators, or how many paid, by day, newest first. */
export interface GetTotalL1ValidatorMetricsParameters {
  /** Name of the metric */
  readonly metric: 'totalCumulativeFeesDaily' | 'totalValidatorFeesDaily' | 'totalPayingValidatorsDaily'
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
}

/** Parameters of `getMetricsBySubnetId`: fees of an L1’s validators, or how many paid, by day, newest first. */
export interface GetMetricsBySubnetIdParameters {
  /** Id of a subnet, in CB58 */
  readonly subnetId: string
  /** Name of the metric */
  readonly metric: 'perSubnetDailyFeesPaid' | 'perSubnetCumulativeFeesPaid' | 'perSubnetPayingValidators'
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
}

/** Parameters of `getMetricsByNodeId`: fees of a node’s validations of L1s by day, newest first. */
export interface GetMetricsByNodeIdParameters {
  /** Id of a node */
  readonly nodeId: string
  /** Name of the metric */
  readonly metric: 'perNodeDailyFeesPaid' | 'perNodeCumulativeFeesPaid'
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
}

/** Parameters of `getMetricsByValidationId`: fees of an L1 validation by day, newest first. */
export interface GetMetricsByValidationIdParameters {
  /** Id of a validation, in CB58 or in hexadecimal */
  readonly l1ValidationId: string
  /** Name of the metric */
  readonly metric: 'validationFeesDaily' | 'validationCumulativeFeesDaily'
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
}

/** Parameters of `getValidatorsByDateRange`: addresses that receive the rewards of a subnet’s validators within a time range. */
export interface GetValidatorsByDateRangeParameters {
  /** Id of a subnet, in CB58 */
  readonly subnetId: string
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network?: string | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `getSupplyCalculation`: how the supply of AVAX is calculated. */
export interface GetSupplyCalculationParameters {
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
}

/** Parameters of `getCompleteness`: the range of indexed blocks of a chain, with a digest for comparing replicas. */
export interface GetCompletenessParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
}

/** Parameters of `getSubnetRpcUsageMetrics`: number of requests to nodes, with their credits, success and median latency. */
export interface GetSubnetRpcUsageMetricsParameters {
  /** Length of the intervals */
  readonly timeInterval?: 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** What the counts are grouped by; by default one count for each interval */
  readonly groupBy?: 'rpcMethod' | 'responseCode' | 'rlBypassToken' | undefined
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId?: string | undefined
  /** Response code of the counted requests */
  readonly responseCode?: string | undefined
  /** JSON-RPC method of the counted requests */
  readonly rpcMethod?: string | undefined
  /** Name of a bypass token; only its requests are counted */
  readonly rlBypassApiToken?: string | undefined
}

/** Parameters of `getRpcUsageMetrics`: number of requests to nodes, with their credits, success and median latency. */
export interface GetRpcUsageMetricsParameters {
  /** Length of the intervals */
  readonly timeInterval?: 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** What the counts are grouped by; by default one count for each interval */
  readonly groupBy?: 'rpcMethod' | 'responseCode' | 'rlBypassToken' | undefined
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId?: string | undefined
  /** Response code of the counted requests */
  readonly responseCode?: string | undefined
  /** JSON-RPC method of the counted requests */
  readonly rpcMethod?: string | undefined
  /** Name of a bypass token; only its requests are counted */
  readonly rlBypassApiToken?: string | undefined
}

/** Parameters of `getApiUsageMetrics`: number of requests to the Data API with the caller’s key, with their compute units and success. */
export interface GetApiUsageMetricsParameters {
  /** Organization of the API keys; a service has only one */
  readonly orgId?: 'default' | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Chain in the path, as the requests named it */
  readonly chainId?: string | undefined
  /** Type of the requests. Requests to gateways have no API key, so `rpc` selects none. */
  readonly requestType?: 'data' | 'rpc' | undefined
  /** Id of an API key; by default the key of the request, and all keys for operators */
  readonly apiKeyId?: string | undefined
  /** Path of the requests without the query, as logged, or path pattern of their endpoint, as counted */
  readonly requestPath?: string | undefined
  /** Length of the intervals */
  readonly timeInterval?: 'minute' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** What the counts are grouped by; by default one count for each interval */
  readonly groupBy?: 'requestPath' | 'responseCode' | 'chainId' | 'apiKeyId' | 'requestType' | undefined
  /** Response code of the counted requests */
  readonly responseCode?: string | undefined
}

/** Parameters of `getApiLogs`: the latest requests to the Data API with the caller’s key, newest first. */
export interface GetApiLogsParameters {
  /** Organization of the API keys; a service has only one */
  readonly orgId?: 'default' | undefined
  /** Start of the time range, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the time range, in Unix seconds; by default now */
  readonly endTimestamp?: number | undefined
  /** Chain in the path, as the requests named it */
  readonly chainId?: string | undefined
  /** Type of the requests. Requests to gateways have no API key, so `rpc` selects none. */
  readonly requestType?: 'data' | 'rpc' | undefined
  /** Id of an API key; by default the key of the request, and all keys for operators */
  readonly apiKeyId?: string | undefined
  /** Path of the requests without the query, as logged, or path pattern of their endpoint, as counted */
  readonly requestPath?: string | undefined
  /** Response code of the counted requests */
  readonly responseCode?: string | undefined
  /** Maximum number of elements of a page */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the previous page; absent for the first page */
  readonly pageToken?: string | undefined
}

/** Parameters of `postTransactionExportJob`: start an export of transactions. */
export interface PostTransactionExportJobParameters {
  /** Kind of export */
  readonly type: 'TRANSACTION_EXPORT_EVM' | 'TRANSACTION_EXPORT_PRIMARY_NETWORK' | 'TRANSACTION_EXPORT_PRIMARY_NETWORK_STAKING' | 'TRANSACTION_EXPORT_PRIMARY_NETWORK_SIMPLE'
  /** First day, as YYYY-MM-DD in UTC */
  readonly firstDate?: string | undefined
  /** Last day, inclusive, as YYYY-MM-DD in UTC */
  readonly lastDate?: string | undefined
  /** Deprecated name of firstDate, as YYYY-MM-DD in UTC */
  readonly startDate?: string | undefined
  /** Deprecated name of lastDate, as YYYY-MM-DD in UTC */
  readonly endDate?: string | undefined
  /** Format of the file; csv by default */
  readonly format?: 'csv' | 'jsonl' | 'parquet' | undefined
  /** For EVM chains: transactions (default), or transfers of tokens */
  readonly contents?: 'transactions' | 'transfers' | undefined
  readonly options: TransactionExportOptions
}

/** Parameters of `getOperationResult`: state and result of an export. */
export interface GetOperationResultParameters {
  /** Id of an operation */
  readonly operationId: string
}

/** Parameters of `cancelOperation`: end an export and remove its file. */
export interface CancelOperationParameters {
  /** Id of an operation */
  readonly operationId: string
}

/** Parameters of `listChanges`: stored and undone blocks of a chain, as server-sent events. */
export interface ListChangesParameters {
  /** EVM chain id, or a blockchain id in CB58 */
  readonly chainId: string
  /** Cursor of the last received event, or 0 to start from the first event */
  readonly cursor?: string | undefined
}

/** Parameters of `streamWebhookMessages`: the messages of a webhook, as server-sent events or over a WebSocket. */
export interface StreamWebhookMessagesParameters {
  /** Id of a webhook */
  readonly id: string
  /** Cursor behind the last received message, or 0 to start with the oldest kept message */
  readonly cursor?: string | undefined
}

/** Parameters of `getOperationFile`: the file of a finished export. */
export interface GetOperationFileParameters {
  /** Id of an operation */
  readonly operationId: string
}

/** Operations of the group `primaryNetwork`. */
export interface PrimaryNetworkOperations {
  /** Blockchains in order of creation. Costs 20 compute units; keys need the scope data. */
  readonly listBlockchains: List<ListBlockchainsParameters, ListBlockchainsResponse, Blockchain>
  /** A blockchain with its genesis. Costs 20 compute units; keys need the scope data. */
  getBlockchainById(parameters: GetBlockchainByIdParameters, options?: CallOptions): Promise<Blockchain>
  /** Subnets with their owners, L1 conversion and blockchains. Costs 20 compute units; keys need the scope data. */
  readonly listSubnets: List<ListSubnetsParameters, ListSubnetsResponse, Subnet>
  /** A subnet with its owners, L1 conversion and blockchains. Costs 20 compute units; keys need the scope data. */
  getSubnetById(parameters: GetSubnetByIdParameters, options?: CallOptions): Promise<Subnet>
  /** L1 validators with their balances. Costs 20 compute units; keys need the scope data. */
  readonly listL1Validators: List<ListL1ValidatorsParameters, ListL1ValidatorsResponse, L1ValidatorDetailsFull>
  /** Transactions of the P-, X- or C-chain, newest first. Costs 100 compute units; keys need the scope data. */
  readonly listLatestPrimaryNetworkTransactions: List<ListLatestPrimaryNetworkTransactionsParameters, ListPrimaryNetworkTransactionsResponse, PrimaryNetworkTransaction>
  /** A transaction of the P-, X- or C-chain. Costs 20 compute units; keys need the scope data. */
  getTxByHash(parameters: GetTxByHashParameters, options?: CallOptions): Promise<PrimaryNetworkTransaction>
  /** Transactions of current and pending stakers. Costs 100 compute units; keys need the scope data. */
  readonly listActivePrimaryNetworkStakingTransactions: List<ListActivePrimaryNetworkStakingTransactionsParameters, ListPChainTransactionsResponse, PChainTransaction>
  /** Balances of addresses on the P- or X-chain, or amounts importable to the C-chain. Costs 20 compute units; keys need the scope data. */
  getBalancesByAddresses(parameters: GetBalancesByAddressesParameters, options?: CallOptions): Promise<ListBalancesResponse>
  /** Spendable outputs of addresses on a chain, including outputs in shared memory. Costs 20 compute units; keys need the scope data. */
  readonly getUtxosByAddresses: List<GetUtxosByAddressesParameters, ListUtxosResponse, AnyUtxo>
  /** Spendable outputs of many addresses on a chain, including outputs in shared memory. Costs 20 compute units; keys need the scope data. */
  readonly getUtxosByAddressesV2: List<GetUtxosByAddressesV2Parameters, ListUtxosResponse, AnyUtxo>
  /** Rewards paid to addresses, or for staking on nodes. Costs 20 compute units; keys need the scope data. */
  readonly listHistoricalPrimaryNetworkRewards: List<ListHistoricalPrimaryNetworkRewardsParameters, ListHistoricalRewardsResponse, HistoricalReward>
  /** Pending rewards of addresses, or for staking on nodes. Costs 20 compute units; keys need the scope data. */
  readonly listPendingPrimaryNetworkRewards: List<ListPendingPrimaryNetworkRewardsParameters, ListPendingRewardsResponse, PendingReward>
  /** Number and stake of the Primary Network’s validators and delegators. Costs 20 compute units; keys need the scope data. */
  getNetworkDetails(parameters: GetNetworkDetailsParameters, options?: CallOptions): Promise<GetNetworkDetailsResponse>
  /** Current and past validators of the Primary Network and of subnets. Costs 20 compute units; keys need the scope data. */
  readonly listValidators: List<ListValidatorsParameters, ListValidatorDetailsResponse, ValidatorDetails>
  /** Past, current and pending validations of a node. Costs 20 compute units; keys need the scope data. */
  readonly getSingleValidatorDetails: List<GetSingleValidatorDetailsParameters, ListValidatorDetailsResponse, ValidatorDetails>
  /** Current and past delegations on the Primary Network. Costs 20 compute units; keys need the scope data. */
  readonly listDelegators: List<ListDelegatorsParameters, ListDelegatorDetailsResponse, DelegatorDetails>
  /** The chains on which addresses have transactions or spendable outputs. Costs 20 compute units; keys need the scope data. */
  getChainIdsForAddresses(parameters: GetChainIdsForAddressesParameters, options?: CallOptions): Promise<ChainAddressChainIdMapListResponse>
  /** Time at which outputs of addresses were last created or consumed. Costs 20 compute units; keys need the scope data. */
  getLastActivityTimestampByAddresses(parameters: GetLastActivityTimestampByAddressesParameters, options?: CallOptions): Promise<LastActivityTimestamp>
  /** Time at which outputs of many addresses were last created or consumed. Costs 20 compute units; keys need the scope data. */
  getLastActivityTimestampByAddressesV2(parameters: GetLastActivityTimestampByAddressesV2Parameters, options?: CallOptions): Promise<LastActivityTimestamp>
  /** Blocks of the P-, X- or C-chain, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listLatestPrimaryNetworkBlocks: List<ListLatestPrimaryNetworkBlocksParameters, ListPrimaryNetworkBlocksResponse, PrimaryNetworkBlock>
  /** Blocks that a node proposed on the P-, X- or C-chain, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listPrimaryNetworkBlocksByNodeId: List<ListPrimaryNetworkBlocksByNodeIdParameters, ListProposedBlocksResponse, PrimaryNetworkBlock>
  /** A block of the P-, X- or C-chain. Costs 20 compute units; keys need the scope data. */
  getBlockById(parameters: GetBlockByIdParameters, options?: CallOptions): Promise<PrimaryNetworkBlock>
  /** Vertices of the X-chain, the last one first. Costs 20 compute units; keys need the scope data. */
  readonly listLatestXChainVertices: List<ListLatestXChainVerticesParameters, ListXChainVerticesResponse, XChainVertex>
  /** Vertices of the X-chain that declare a height. Costs 20 compute units; keys need the scope data. */
  readonly getVertexByHeight: List<GetVertexByHeightParameters, ListXChainVerticesResponse, XChainVertex>
  /** A vertex of the X-chain. Costs 20 compute units; keys need the scope data. */
  getVertexByHash(parameters: GetVertexByHashParameters, options?: CallOptions): Promise<XChainVertex>
  /** An X-chain asset. Costs 20 compute units; keys need the scope data. */
  getAssetDetails(parameters: GetAssetDetailsParameters, options?: CallOptions): Promise<XChainAssetDetails>
  /** X-chain transactions that consume or create outputs of an asset. Costs 20 compute units; keys need the scope data. */
  readonly listAssetTransactions: List<ListAssetTransactionsParameters, ListXChainTransactionsResponse, XChainTransaction>
  /** The supply of AVAX. Costs 20 compute units; keys need the scope data. */
  getAvaxSupply(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<AvaxSupplyResponse>
  /** How the supply of AVAX is calculated. Costs 20 compute units; keys need the scope data. */
  getSupplyCalculation(parameters: GetSupplyCalculationParameters, options?: CallOptions): Promise<AvaxSupplyCalculation>
}

/** Operations of the group `signatureAggregator`. */
export interface SignatureAggregatorOperations {
  /** Collect signatures for a Warp message. Costs 20 compute units; keys need the scope aggregate. */
  aggregateSignatures(parameters: AggregateSignaturesParameters, options?: CallOptions): Promise<DetailedSignatureAggregationResponse>
  /** The signed Warp message of a P-chain L1 transaction. Costs 20 compute units; keys need the scope aggregate. */
  getAggregatedSignatures(parameters: GetAggregatedSignaturesParameters, options?: CallOptions): Promise<SignatureAggregationResponse>
}

/** Operations of the group `evm`. */
export interface EvmOperations {
  /** Blocks of a chain, newest first. Costs 10 compute units; keys need the scope data. */
  readonly getLatestBlocks: List<GetLatestBlocksParameters, ListEvmBlocksResponse, EvmBlock>
  /** A block, by number or hash. Costs 20 compute units; keys need the scope data. */
  getBlock(parameters: GetBlockParameters, options?: CallOptions): Promise<EvmBlock>
  /** The transactions of a block, in block order. Costs 20 compute units; keys need the scope data. */
  readonly getTransactionsForBlock: List<GetTransactionsForBlockParameters, ListBlockTransactionsResponse, NativeTransaction>
  /** Transactions of a chain, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listLatestTransactions: List<ListLatestTransactionsParameters, ListNativeTransactionsResponse, NativeTransaction>
  /** Transactions of an address, with its native transfer, token transfers and internal calls in each. Costs 20 compute units; keys need the scope data. */
  readonly listTransactions: List<ListTransactionsParameters, ListTransactionDetailsResponse, TransactionDetails>
  /** Transactions from or to an address, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listNativeTransactions: List<ListNativeTransactionsParameters, ListNativeTransactionsResponse, NativeTransaction>
  /** Internal calls from or to an address, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listInternalTransactions: List<ListInternalTransactionsParameters, ListInternalTransactionsResponse, InternalTransaction>
  /** Logs of contracts, newest first, by contract and topics. A page can have fewer logs than requested, or none: continue while there is a nextPageToken.. Costs 20 compute units; keys need the scope data. */
  readonly listLogs: List<ListLogsParameters, ListLogsResponse, EventLog>
  /** Decoded events, newest first, by contract and arguments. The name is the event’s, such as Transfer, or the ABI’s and the event’s, such as ERC20.Transfer. With args, a page can have fewer events than requested, or none: continue while there is a nextPageToken.. Costs 20 compute units; keys need the scope data. */
  readonly listEvents: List<ListEventsParameters, ListEventsResponse, DecodedEvent>
  /** Contracts created by transactions of an address, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listContractDeployments: List<ListContractDeploymentsParameters, ListContractsResponse, Contract>
  /** A contract, its metadata and its creator. Costs 20 compute units; keys need the scope data. */
  getContractMetadata(parameters: GetContractMetadataParameters, options?: CallOptions): Promise<Contract>
  /** Transfers of ERC-20 tokens from or to an address, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listErc20Transactions: List<ListErc20TransactionsParameters, ListErc20TransactionsResponse, Erc20Transfer>
  /** Transfers of ERC-721 tokens from or to an address, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listErc721Transactions: List<ListErc721TransactionsParameters, ListErc721TransactionsResponse, Erc721Transfer>
  /** Transfers of ERC-1155 tokens from or to an address, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listErc1155Transactions: List<ListErc1155TransactionsParameters, ListErc1155TransactionsResponse, Erc1155Transfer>
  /** Transfers of a contract’s tokens, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listTransfers: List<ListTransfersParameters, ListTransfersResponse, ErcTransfer>
  /** A transaction with its token transfers and internal calls. Costs 20 compute units; keys need the scope data. */
  getTransaction(parameters: GetTransactionParameters, options?: CallOptions): Promise<GetTransactionResponse>
  /** The transaction that created a contract. Costs 20 compute units; keys need the scope data. */
  getDeploymentTransaction(parameters: GetDeploymentTransactionParameters, options?: CallOptions): Promise<GetTransactionResponse>
  /** Balance of an address in the chain’s native token. Costs 20 compute units; keys need the scope data. */
  getNativeBalance(parameters: GetNativeBalanceParameters, options?: CallOptions): Promise<GetNativeBalanceResponse>
  /** ERC-20 balances of an address, sorted by contract. Costs 20 compute units; keys need the scope data. */
  readonly listErc20Balances: List<ListErc20BalancesParameters, ListErc20BalancesResponse, Erc20TokenBalance>
  /** ERC-721 tokens that an address owns, sorted by contract and id. Costs 20 compute units; keys need the scope data. */
  readonly listErc721Balances: List<ListErc721BalancesParameters, ListErc721BalancesResponse, Erc721TokenBalance>
  /** ERC-1155 balances of an address, sorted by contract and id. Costs 20 compute units; keys need the scope data. */
  readonly listErc1155Balances: List<ListErc1155BalancesParameters, ListErc1155BalancesResponse, Erc1155TokenBalance>
  /** ERC-721 and ERC-1155 tokens of an address, sorted by contract and id. Costs 20 compute units; keys need the scope data. */
  readonly listCollectibleBalances: List<ListCollectibleBalancesParameters, ListCollectibleBalancesResponse, CollectibleBalance>
  /** Tokens of an ERC-721 or ERC-1155 contract, lowest id first. Costs 20 compute units; keys need the scope data. */
  readonly listTokens: List<ListTokensParameters, ListNftTokensResponse, ErcToken>
  /** A token of an ERC-721 or ERC-1155 contract. Costs 20 compute units; keys need the scope data. */
  getTokenDetails(parameters: GetTokenDetailsParameters, options?: CallOptions): Promise<ErcToken>
  /** Request an early refresh of a token’s metadata. Costs 20 compute units; keys need the scope data. */
  reindexNft(parameters: ReindexNftParameters, options?: CallOptions): Promise<null>
  /** Transfers of one ERC-721 or ERC-1155 token, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listNftTransfers: List<ListNftTransfersParameters, ListNftTransfersResponse, NftTransfer>
  /** The owner of an ERC-721 token, or the holders of an ERC-1155 token, after a block, most tokens first. Costs 100 compute units; keys need the scope data. */
  readonly listNftHolders: List<ListNftHoldersParameters, ListNftHoldersResponse, NftHolder>
  /** Addresses that hold tokens of an ERC-721 or ERC-1155 contract after a block, most tokens first. Costs 100 compute units; keys need the scope data. */
  readonly listNftCollectionHolders: List<ListNftCollectionHoldersParameters, ListNftCollectionHoldersResponse, NftHolder>
  /** The served EVM chains. Costs 1 compute units; keys need the scope data. */
  supportedChains(parameters?: SupportedChainsParameters, options?: CallOptions): Promise<ListChainsResponse>
  /** A served EVM chain. Costs 1 compute units; keys need the scope data. */
  getChainInfo(parameters: GetChainInfoParameters, options?: CallOptions): Promise<ChainInfo>
  /** The chains on which an address has sent or received a transaction, a transfer or a call. Costs 20 compute units; keys need the scope data. */
  listAddressChains(parameters: ListAddressChainsParameters, options?: CallOptions): Promise<ListAddressChainsResponse>
  /**
   * The chains on which an address has sent or received a transaction, a transfer or a call. Costs 20 compute units; keys need the scope data.
   * @deprecated Another operation replaces it.
   */
  getAddressChains(parameters: GetAddressChainsParameters, options?: CallOptions): Promise<ListAddressChainsResponse>
  /** Blocks of all chains, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listLatestBlocksAllChains: List<ListLatestBlocksAllChainsParameters | undefined, ListEvmBlocksOfAllChainsResponse, EvmBlock>
  /**
   * Blocks of all chains, newest first. Costs 20 compute units; keys need the scope data.
   * @deprecated Another operation replaces it.
   */
  readonly listAllLatestBlocks: List<ListAllLatestBlocksParameters | undefined, ListEvmBlocksOfAllChainsResponse, EvmBlock>
  /** Transactions of all chains, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listLatestTransactionsAllChains: List<ListLatestTransactionsAllChainsParameters | undefined, ListTransactionsOfAllChainsResponse, NativeTransaction>
  /**
   * Transactions of all chains, newest first. Costs 20 compute units; keys need the scope data.
   * @deprecated Another operation replaces it.
   */
  readonly listAllLatestTransactions: List<ListAllLatestTransactionsParameters | undefined, ListTransactionsOfAllChainsResponse, NativeTransaction>
  /** The range of indexed blocks of a chain, with a digest for comparing replicas. Costs 10 compute units; keys need the scope data. */
  getCompleteness(parameters: GetCompletenessParameters, options?: CallOptions): Promise<Completeness>
  /** Stored and undone blocks of a chain, as server-sent events. Costs 20 compute units, and 10 for each minute while it is open; keys need the scope data. */
  listChanges(parameters: ListChangesParameters, options?: CallOptions): AsyncIterable<ServerEvent>
}

/** Operations of the group `interchainMessages`. */
export interface InterchainMessagesOperations {
  /** Messages between chains, newest first, by route and parties. A page can have fewer messages than requested, or none: continue while there is a nextPageToken.. Costs 20 compute units; keys need the scope data. */
  readonly listIcmMessages: List<ListIcmMessagesParameters | undefined, ListIcmMessagesResponse, IcmMessage>
  /**
   * Messages between chains, newest first, by route and parties. A page can have fewer messages than requested, or none: continue while there is a nextPageToken.. Costs 20 compute units; keys need the scope data.
   * @deprecated Another operation replaces it.
   */
  readonly listTeleporterMessages: List<ListTeleporterMessagesParameters | undefined, ListTeleporterMessagesResponse, TeleporterMessage>
  /** Messages between chains from or to an address, newest first. Costs 20 compute units; keys need the scope data. */
  readonly listIcmMessagesByAddress: List<ListIcmMessagesByAddressParameters, ListIcmMessagesResponse, IcmMessage>
  /**
   * Messages between chains from or to an address, newest first. Costs 20 compute units; keys need the scope data.
   * @deprecated Another operation replaces it.
   */
  readonly listTeleporterMessagesByAddress: List<ListTeleporterMessagesByAddressParameters, ListTeleporterMessagesResponse, TeleporterMessage>
  /** A message between chains. Costs 20 compute units; keys need the scope data. */
  getIcmMessage(parameters: GetIcmMessageParameters, options?: CallOptions): Promise<IcmMessage>
  /**
   * A message between chains. Costs 20 compute units; keys need the scope data.
   * @deprecated Another operation replaces it.
   */
  getTeleporterMessage(parameters: GetTeleporterMessageParameters, options?: CallOptions): Promise<TeleporterMessage>
  /** Everything that happened to a message, or to a Warp message: sending, signatures, delivery, execution, receipts, fees. Costs 20 compute units; keys need the scope data. */
  getIcmMessageStory(parameters: GetIcmMessageStoryParameters, options?: CallOptions): Promise<IcmMessageStory>
}

/** Operations of the group `metrics`. */
export interface MetricsOperations {
  /** Chains with metrics. Costs 1 compute units; keys need the scope metrics. */
  listChains(parameters?: ListChainsParameters, options?: CallOptions): Promise<MetricsListChainsResponse>
  /** A chain with metrics. Costs 1 compute units; keys need the scope metrics. */
  getChain(parameters: GetChainParameters, options?: CallOptions): Promise<EvmChain>
  /** A metric of one chain, or of all chains of a network together, newest first. Costs 100 compute units; keys need the scope metrics. */
  readonly getEvmChainMetrics: List<GetEvmChainMetricsParameters, MetricsApiResponse, MetricsValue>
  /**
   * Transactions per second for each day, newest first. Costs 20 compute units; keys need the scope metrics.
   * @deprecated Another operation replaces it.
   */
  readonly getAverageTps: List<GetAverageTpsParameters, AverageTpsResponse, MetricsValue>
  /** A metric for time windows that end with the newest block: an hour, a day, a week, 30, 90 and 365 days, and all time. Costs 100 compute units; keys need the scope metrics. */
  getEvmChainRollingWindowMetrics(parameters: GetEvmChainRollingWindowMetricsParameters, options?: CallOptions): Promise<RollingWindowMetricsApiResponse>
  /** Numbers of messages between chains for time windows that end with the newest block, in total or by route. Costs 100 compute units; keys need the scope metrics. */
  getICMSummary(parameters?: GetICMSummaryParameters, options?: CallOptions): Promise<ICMRollingWindowMetricsApiResponse>
  /** Numbers of messages between chains by interval, newest first, in total or by route. Intervals without messages are left out.. Costs 100 compute units; keys need the scope metrics. */
  readonly getICMTimeseries: List<GetICMTimeseriesParameters | undefined, ICMMetricsApiResponse, ICMMetricsValue>
  /** Number of messages that a chain sent to other chains, received from them, or both. Costs 20 compute units; keys need the scope metrics. */
  getTeleporterMetricsByChain(parameters: GetTeleporterMetricsByChainParameters, options?: CallOptions): Promise<TeleporterChainMetricsApiResponse>
  /** Addresses whose token balance exceeded a threshold within the time range, highest balance first. Costs 1000 compute units; keys need the scope metrics. */
  readonly listHolders: List<ListHoldersParameters, ListHoldersResponse, Holder>
  /** Addresses that hold tokens of an ERC-721 or ERC-1155 contract, most tokens first. Costs 1000 compute units; keys need the scope metrics. */
  readonly getNftHoldersByContractAddress: List<GetNftHoldersByContractAddressParameters, NftHoldersResponse, AddressDetails>
  /** Addresses that have bridged more BTC.b than a threshold from Bitcoin, less what they have bridged back, highest amount first. Costs 1000 compute units; keys need the scope metrics. */
  readonly getAddressesByBtcbBridged: List<GetAddressesByBtcbBridgedParameters, BtcbBridgersResponse, BtcbBridger>
  /** Number or stake of the validators or delegators of a subnet, or of all subnets, by day, newest first. Costs 100 compute units; keys need the scope metrics. */
  readonly getStakingMetrics: List<GetStakingMetricsParameters, MetricsApiResponse, MetricsValue>
  /** Fees of all L1 validators, or how many paid, by day, newest first. Costs 100 compute units; keys need the scope metrics. */
  getTotalL1ValidatorMetrics(parameters: GetTotalL1ValidatorMetricsParameters, options?: CallOptions): Promise<MetricsApiResponse>
  /** Fees of an L1’s validators, or how many paid, by day, newest first. Costs 100 compute units; keys need the scope metrics. */
  getMetricsBySubnetId(parameters: GetMetricsBySubnetIdParameters, options?: CallOptions): Promise<MetricsApiResponse>
  /** Fees of a node’s validations of L1s by day, newest first. Costs 100 compute units; keys need the scope metrics. */
  getMetricsByNodeId(parameters: GetMetricsByNodeIdParameters, options?: CallOptions): Promise<MetricsApiResponse>
  /** Fees of an L1 validation by day, newest first. Costs 100 compute units; keys need the scope metrics. */
  getMetricsByValidationId(parameters: GetMetricsByValidationIdParameters, options?: CallOptions): Promise<MetricsApiResponse>
  /** Addresses that receive the rewards of a subnet’s validators within a time range. Costs 100 compute units; keys need the scope metrics. */
  readonly getValidatorsByDateRange: List<GetValidatorsByDateRangeParameters, PChainLookingGlassResponse, PChainAddressDetails>
}

/** Operations of the group `webhooks`. */
export interface WebhooksOperations {
  /** Creates a webhook. Costs 50 compute units; needs a key with the scope webhooks. */
  createWebhook(parameters: CreateWebhookParameters, options?: CallOptions): Promise<Webhook>
  /** The webhooks of the API key, newest first. Costs 20 compute units; needs a key with the scope webhooks. */
  readonly listWebhooks: List<ListWebhooksParameters | undefined, ListWebhooksResponse, Webhook>
  /** A webhook. Costs 10 compute units; needs a key with the scope webhooks. */
  getWebhook(parameters: GetWebhookParameters, options?: CallOptions): Promise<Webhook>
  /** Changes a webhook. Costs 10 compute units; needs a key with the scope webhooks. */
  updateWebhook(parameters: UpdateWebhookParameters, options?: CallOptions): Promise<Webhook>
  /** Deactivates a webhook. Costs 10 compute units; needs a key with the scope webhooks. */
  deactivateWebhook(parameters: DeactivateWebhookParameters, options?: CallOptions): Promise<Webhook>
  /** The addresses that a webhook of an EVM chain observes. Costs 10 compute units; needs a key with the scope webhooks. */
  readonly getAddressesFromWebhook: List<GetAddressesFromWebhookParameters, ListWebhookAddressesResponse, string>
  /** Adds addresses to a webhook of an EVM chain. Costs 20 compute units; needs a key with the scope webhooks. */
  addAddressesToWebhook(parameters: AddAddressesToWebhookParameters, options?: CallOptions): Promise<EVMAddressActivityResponse>
  /** Removes addresses from a webhook of an EVM chain. Costs 20 compute units; needs a key with the scope webhooks. */
  removeAddressesFromWebhook(parameters: RemoveAddressesFromWebhookParameters, options?: CallOptions): Promise<EVMAddressActivityResponse>
  /** The messages of a webhook that are queued or kept, newest first. Costs 20 compute units; needs a key with the scope webhooks. */
  readonly listWebhookDeliveries: List<ListWebhookDeliveriesParameters, ListWebhookDeliveriesResponse, WebhookDelivery>
  /** Sends kept messages of a webhook again, from a point on, in their order. Costs 100 compute units; needs a key with the scope webhooks. */
  replayWebhook(parameters: ReplayWebhookParameters, options?: CallOptions): Promise<ReplayWebhookResponse>
  /** Sends a message about an invented event at once, signed as others, and returns the result. Costs 100 compute units; needs a key with the scope webhooks. */
  sendTestOfWebhook(parameters: SendTestOfWebhookParameters, options?: CallOptions): Promise<TestOfWebhookResponse>
  /** The secret with which messages are signed. Costs 10 compute units; needs a key with the scope webhooks. */
  getSharedSecret(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<SharedSecretsResponse>
  /** Generates the secret with which messages are signed, or replaces it. Costs 10 compute units; needs a key with the scope webhooks. */
  generateOrRotateSharedSecret(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<SharedSecretsResponse>
  /** The messages of a webhook, as server-sent events or over a WebSocket. Costs 50 compute units, and 10 for each minute while it is open; needs a key with the scope webhooks. */
  streamWebhookMessages(parameters: StreamWebhookMessagesParameters, options?: CallOptions): AsyncIterable<ServerEvent>
}

/** Operations of the group `health`. */
export interface HealthOperations {
  /** Check that all served data is readable. Free. */
  dataHealthCheck(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<HealthCheckResult>
  /** Check that the service responds. Free. */
  liveCheck(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<HealthCheckResult>
  /** Check that all served data is readable. Free. */
  metricsHealthCheck(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<HealthCheckResult>
  /** Check that the service responds. Free. */
  metricsLiveCheck(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<HealthCheckResult>
}

/** Operations of the group `usage`. */
export interface UsageOperations {
  /** Number of requests to nodes, with their credits, success and median latency. Costs 200 compute units; keys need the scope usage. */
  getSubnetRpcUsageMetrics(parameters?: GetSubnetRpcUsageMetricsParameters, options?: CallOptions): Promise<SubnetRpcUsageMetricsResponse>
  /**
   * Number of requests to nodes, with their credits, success and median latency. Costs 200 compute units; keys need the scope usage.
   * @deprecated Another operation replaces it.
   */
  getRpcUsageMetrics(parameters?: GetRpcUsageMetricsParameters, options?: CallOptions): Promise<SubnetRpcUsageMetricsResponse>
  /** Number of requests to the Data API with the caller’s key, with their compute units and success. Costs 200 compute units; keys need the scope usage. */
  getApiUsageMetrics(parameters?: GetApiUsageMetricsParameters, options?: CallOptions): Promise<UsageMetricsResponseDTO>
  /** The latest requests to the Data API with the caller’s key, newest first. Costs 200 compute units; keys need the scope usage. */
  readonly getApiLogs: List<GetApiLogsParameters | undefined, LogsResponseDTO, LogsFormat>
}

/** Operations of the group `operations`. */
export interface OperationsOperations {
  /** Start an export of transactions. Costs 200 compute units; keys need the scope data. */
  postTransactionExportJob(parameters: PostTransactionExportJobParameters, options?: CallOptions): Promise<OperationStatusResponse>
  /** State and result of an export. Costs 1 compute units; keys need the scope data. */
  getOperationResult(parameters: GetOperationResultParameters, options?: CallOptions): Promise<OperationStatusResponse>
  /** End an export and remove its file. Costs 1 compute units; keys need the scope data. */
  cancelOperation(parameters: CancelOperationParameters, options?: CallOptions): Promise<OperationStatusResponse>
  /** The file of a finished export. Costs 1 compute units; keys need the scope data. */
  getOperationFile(parameters: GetOperationFileParameters, options?: CallOptions): Promise<string>
}

/** All operations by group. */
export interface Operations {
  readonly primaryNetwork: PrimaryNetworkOperations
  readonly signatureAggregator: SignatureAggregatorOperations
  readonly evm: EvmOperations
  readonly interchainMessages: InterchainMessagesOperations
  readonly metrics: MetricsOperations
  readonly webhooks: WebhooksOperations
  readonly health: HealthOperations
  readonly usage: UsageOperations
  readonly operations: OperationsOperations
}

/** How each operation is sent. */
export const OPERATIONS = {
  primaryNetwork: {
    listBlockchains: { path: '/v1/networks/{network}/blockchains', items: 'blockchains' },
    getBlockchainById: { path: '/v1/networks/{network}/blockchains/{blockchainId}' },
    listSubnets: { path: '/v1/networks/{network}/subnets', items: 'subnets' },
    getSubnetById: { path: '/v1/networks/{network}/subnets/{subnetId}' },
    listL1Validators: { path: '/v1/networks/{network}/l1Validators', items: 'validators' },
    listLatestPrimaryNetworkTransactions: { path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions', items: 'transactions' },
    getTxByHash: { path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions/{txHash}' },
    listActivePrimaryNetworkStakingTransactions: { path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions:listStaking', items: 'transactions' },
    getBalancesByAddresses: { path: '/v1/networks/{network}/blockchains/{blockchainId}/balances' },
    getUtxosByAddresses: { path: '/v1/networks/{network}/blockchains/{blockchainId}/utxos', items: 'utxos' },
    getUtxosByAddressesV2: { path: '/v1/networks/{network}/blockchains/{blockchainId}/utxos', method: 'POST', body: ["addresses"], items: 'utxos' },
    listHistoricalPrimaryNetworkRewards: { path: '/v1/networks/{network}/rewards', items: 'historicalRewards' },
    listPendingPrimaryNetworkRewards: { path: '/v1/networks/{network}/rewards:listPending', items: 'pendingRewards' },
    getNetworkDetails: { path: '/v1/networks/{network}' },
    listValidators: { path: '/v1/networks/{network}/validators', items: 'validators' },
    getSingleValidatorDetails: { path: '/v1/networks/{network}/validators/{nodeId}', items: 'validators' },
    listDelegators: { path: '/v1/networks/{network}/delegators', items: 'delegators' },
    getChainIdsForAddresses: { path: '/v1/networks/{network}/addresses:listChainIds' },
    getLastActivityTimestampByAddresses: { path: '/v1/networks/{network}/blockchains/{blockchainId}/lastActivityTimestampByAddresses' },
    getLastActivityTimestampByAddressesV2: { path: '/v1/networks/{network}/blockchains/{blockchainId}/lastActivityTimestampByAddresses', method: 'POST', body: ["addresses"] },
    listLatestPrimaryNetworkBlocks: { path: '/v1/networks/{network}/blockchains/{blockchainId}/blocks', items: 'blocks' },
    listPrimaryNetworkBlocksByNodeId: { path: '/v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks', items: 'blocks' },
    getBlockById: { path: '/v1/networks/{network}/blockchains/{blockchainId}/blocks/{blockId}' },
    listLatestXChainVertices: { path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices', items: 'vertices' },
    getVertexByHeight: { path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices:listByHeight', items: 'vertices' },
    getVertexByHash: { path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices/{vertexHash}' },
    getAssetDetails: { path: '/v1/networks/{network}/blockchains/{blockchainId}/assets/{assetId}' },
    listAssetTransactions: { path: '/v1/networks/{network}/blockchains/{blockchainId}/assets/{assetId}/transactions', items: 'transactions' },
    getAvaxSupply: { path: '/v1/avax/supply' },
    getSupplyCalculation: { path: '/v1/networks/{network}/supply' },
  },
  signatureAggregator: {
    aggregateSignatures: { path: '/v1/signatureAggregator/{network}/aggregateSignatures', method: 'POST', body: ["message","justification","signingSubnetId","quorumPercentage","quorumPercentageBuffer","pChainHeight","destinationChain","deadlineMs","waitMs"] },
    getAggregatedSignatures: { path: '/v1/signatureAggregator/{network}/aggregateSignatures/{txHash}' },
  },
  evm: {
    getLatestBlocks: { path: '/v1/chains/{chainId}/blocks', items: 'blocks' },
    getBlock: { path: '/v1/chains/{chainId}/blocks/{blockId}' },
    getTransactionsForBlock: { path: '/v1/chains/{chainId}/blocks/{blockId}/transactions', items: 'transactions' },
    listLatestTransactions: { path: '/v1/chains/{chainId}/transactions', items: 'transactions' },
    listTransactions: { path: '/v1/chains/{chainId}/addresses/{address}/transactions', items: 'transactions' },
    listNativeTransactions: { path: '/v1/chains/{chainId}/addresses/{address}/transactions:listNative', items: 'transactions' },
    listInternalTransactions: { path: '/v1/chains/{chainId}/addresses/{address}/transactions:listInternals', items: 'transactions' },
    listLogs: { path: '/v1/chains/{chainId}/logs', items: 'logs' },
    listEvents: { path: '/v1/chains/{chainId}/events/{name}', items: 'events' },
    listContractDeployments: { path: '/v1/chains/{chainId}/contracts/{address}/deployments', items: 'contracts' },
    getContractMetadata: { path: '/v1/chains/{chainId}/addresses/{address}' },
    listErc20Transactions: { path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc20', items: 'transactions' },
    listErc721Transactions: { path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc721', items: 'transactions' },
    listErc1155Transactions: { path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc1155', items: 'transactions' },
    listTransfers: { path: '/v1/chains/{chainId}/tokens/{address}/transfers', items: 'transfers' },
    getTransaction: { path: '/v1/chains/{chainId}/transactions/{txHash}' },
    getDeploymentTransaction: { path: '/v1/chains/{chainId}/contracts/{address}/transactions:getDeployment' },
    getNativeBalance: { path: '/v1/chains/{chainId}/addresses/{address}/balances:getNative' },
    listErc20Balances: { path: '/v1/chains/{chainId}/addresses/{address}/balances:listErc20', items: 'erc20TokenBalances' },
    listErc721Balances: { path: '/v1/chains/{chainId}/addresses/{address}/balances:listErc721', items: 'erc721TokenBalances' },
    listErc1155Balances: { path: '/v1/chains/{chainId}/addresses/{address}/balances:listErc1155', items: 'erc1155TokenBalances' },
    listCollectibleBalances: { path: '/v1/chains/{chainId}/addresses/{address}/balances:listCollectibles', items: 'collectibleBalances' },
    listTokens: { path: '/v1/chains/{chainId}/nfts/collections/{address}/tokens', items: 'tokens' },
    getTokenDetails: { path: '/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}' },
    reindexNft: { path: '/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}:reindex', method: 'POST' },
    listNftTransfers: { path: '/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}/transfers', items: 'transfers' },
    listNftHolders: { path: '/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}/holders', items: 'holders' },
    listNftCollectionHolders: { path: '/v1/chains/{chainId}/nfts/collections/{address}/holders', items: 'holders' },
    supportedChains: { path: '/v1/chains' },
    getChainInfo: { path: '/v1/chains/{chainId}' },
    listAddressChains: { path: '/v1/address/{address}/chains' },
    getAddressChains: { path: '/v1/chains/address/{address}' },
    listLatestBlocksAllChains: { path: '/v1/blocks', items: 'blocks' },
    listAllLatestBlocks: { path: '/v1/chains/allBlocks', items: 'blocks' },
    listLatestTransactionsAllChains: { path: '/v1/transactions', items: 'transactions' },
    listAllLatestTransactions: { path: '/v1/chains/allTransactions', items: 'transactions' },
    getCompleteness: { path: '/v1/completeness/{chainId}' },
    listChanges: { path: '/v1/changes/{chainId}', isStream: true },
  },
  interchainMessages: {
    listIcmMessages: { path: '/v1/icm/messages', items: 'messages' },
    listTeleporterMessages: { path: '/v1/teleporter/messages', items: 'messages' },
    listIcmMessagesByAddress: { path: '/v1/icm/addresses/{address}/messages', items: 'messages' },
    listTeleporterMessagesByAddress: { path: '/v1/teleporter/addresses/{address}/messages', items: 'messages' },
    getIcmMessage: { path: '/v1/icm/messages/{messageId}' },
    getTeleporterMessage: { path: '/v1/teleporter/messages/{messageId}' },
    getIcmMessageStory: { path: '/v1/icm/messages/{messageId}/story' },
  },
  metrics: {
    listChains: { path: '/v2/chains', api: 'metrics' },
    getChain: { path: '/v2/chains/{chainId}', api: 'metrics' },
    getEvmChainMetrics: { path: '/v2/chains/{chainId}/metrics/{metric}', api: 'metrics', items: 'results' },
    getAverageTps: { path: '/v1/avg_tps/{chainId}', api: 'metrics', items: 'results' },
    getEvmChainRollingWindowMetrics: { path: '/v2/chains/{chainId}/rollingWindowMetrics/{metric}', api: 'metrics' },
    getICMSummary: { path: '/v2/icm/summary', api: 'metrics' },
    getICMTimeseries: { path: '/v2/icm/timeseries', api: 'metrics', items: 'results' },
    getTeleporterMetricsByChain: { path: '/v2/chains/{chainId}/teleporterMetrics/{metric}', api: 'metrics' },
    listHolders: { path: '/v2/chains/{chainId}/contracts/{address}/balances', api: 'metrics', items: 'addresses' },
    getNftHoldersByContractAddress: { path: '/v2/chains/{chainId}/contracts/{address}/nfts:listHolders', api: 'metrics', items: 'addresses' },
    getAddressesByBtcbBridged: { path: '/v2/chains/43114/btcb/bridged:getAddresses', api: 'metrics', items: 'addresses' },
    getStakingMetrics: { path: '/v2/networks/{network}/metrics/{metric}', api: 'metrics', items: 'results' },
    getTotalL1ValidatorMetrics: { path: '/v2/validators/metrics/{metric}', api: 'metrics' },
    getMetricsBySubnetId: { path: '/v2/subnet/{subnetId}/metrics/{metric}', api: 'metrics' },
    getMetricsByNodeId: { path: '/v2/validator/{nodeId}/metrics/{metric}', api: 'metrics' },
    getMetricsByValidationId: { path: '/v2/validation/{l1ValidationId}/metrics/{metric}', api: 'metrics' },
    getValidatorsByDateRange: { path: '/v2/subnets/{subnetId}/validators:getAddresses', api: 'metrics', items: 'addresses' },
  },
  webhooks: {
    createWebhook: { path: '/v1/webhooks', method: 'POST', body: ["url","stream","name","description","secretEncoding","chainId","eventType","metadata","network","includeInternalTxs","includeLogs","finality"] },
    listWebhooks: { path: '/v1/webhooks', items: 'webhooks' },
    getWebhook: { path: '/v1/webhooks/{id}' },
    updateWebhook: { path: '/v1/webhooks/{id}', method: 'PATCH', body: ["name","description","url","secretEncoding","status","includeInternalTxs","includeLogs"] },
    deactivateWebhook: { path: '/v1/webhooks/{id}', method: 'DELETE' },
    getAddressesFromWebhook: { path: '/v1/webhooks/{id}/addresses', items: 'addresses' },
    addAddressesToWebhook: { path: '/v1/webhooks/{id}/addresses', method: 'PATCH', body: ["addresses"] },
    removeAddressesFromWebhook: { path: '/v1/webhooks/{id}/addresses', method: 'DELETE', body: ["addresses"] },
    listWebhookDeliveries: { path: '/v1/webhooks/{id}/deliveries', items: 'deliveries' },
    replayWebhook: { path: '/v1/webhooks/{id}:replay', method: 'POST', body: ["fromBlock","fromTimestamp","deadOnly"] },
    sendTestOfWebhook: { path: '/v1/webhooks/{id}:sendTest', method: 'POST' },
    getSharedSecret: { path: '/v1/webhooks:getSharedSecret' },
    generateOrRotateSharedSecret: { path: '/v1/webhooks:generateOrRotateSharedSecret', method: 'POST' },
    streamWebhookMessages: { path: '/v1/webhooks/{id}/messages', isStream: true },
  },
  health: {
    dataHealthCheck: { path: '/v1/health-check' },
    liveCheck: { path: '/v1/live-check' },
    metricsHealthCheck: { path: '/v2/health-check', api: 'metrics' },
    metricsLiveCheck: { path: '/v2/live-check', api: 'metrics' },
  },
  usage: {
    getSubnetRpcUsageMetrics: { path: '/v1/subnetRpcUsageMetrics' },
    getRpcUsageMetrics: { path: '/v1/rpcUsageMetrics' },
    getApiUsageMetrics: { path: '/v1/apiUsageMetrics' },
    getApiLogs: { path: '/v1/apiLogs', items: 'logs' },
  },
  operations: {
    postTransactionExportJob: { path: '/v1/operations/transactions:export', method: 'POST', body: ["type","firstDate","lastDate","startDate","endDate","format","contents","options"] },
    getOperationResult: { path: '/v1/operations/{operationId}' },
    cancelOperation: { path: '/v1/operations/{operationId}:cancel', method: 'POST' },
    getOperationFile: { path: '/v1/operations/{operationId}/file' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Operation>>>>
