// Generated from the OpenAPI document. Run npm run openapi to write it again.

/** A current delegation */
export interface ActiveDelegatorDetails {
  /** Id of the transaction that added the delegator, in CB58 */
  readonly txHash: string
  /** Validator to which the stake is delegated, as NodeID-… */
  readonly nodeId: string
  /** Addresses that receive the reward, in bech32 without a chain prefix */
  readonly rewardAddresses: readonly string[]
  /** Delegated stake, in nAVAX, as decimal text */
  readonly amountDelegated: string
  /** Commission of the validator, in percent, as decimal text */
  readonly delegationFee: string
  /** Start of the delegation, in Unix seconds */
  readonly startTimestamp: number
  /** End of the delegation, in Unix seconds */
  readonly endTimestamp: number
  /** Expected reward before the commission, in nAVAX, as decimal text */
  readonly estimatedGrossReward: string
  /** Expected reward after the commission, in nAVAX, as decimal text */
  readonly estimatedNetReward: string
  /** Status of the delegation */
  readonly delegationStatus: 'active'
}

/** A current validator */
export interface ActiveValidatorDetails {
  /** Id of the transaction that added the validator, in CB58 */
  readonly txHash: string
  /** Node of the validator, as NodeID-… */
  readonly nodeId: string
  /** Subnet that is validated, in CB58 */
  readonly subnetId: string
  /** Stake in nAVAX, as decimal text; on permissioned subnets the weight */
  readonly amountStaked: string
  /** Commission on the rewards of delegators, in percent, as decimal text */
  readonly delegationFee?: string | undefined
  /** Start of the validation, in Unix seconds */
  readonly startTimestamp: number
  /** End of the validation, in Unix seconds */
  readonly endTimestamp: number
  /** BLS public key of the validator */
  readonly blsCredentials?: BlsCredentials | undefined
  /** Share of the total stake of the subnet, including delegations, in percent */
  readonly stakePercentage: number
  /** Number of current delegators */
  readonly delegatorCount: number
  /** Delegated stake, in nAVAX, as decimal text */
  readonly amountDelegated?: string | undefined
  /** Uptime in percent, as the node of this service observed it; −1 if unknown */
  readonly uptimePerformance: number
  /** Version that the node reported to its peers */
  readonly avalancheGoVersion?: string | undefined
  /** Remaining capacity for delegations, in nAVAX, as decimal text */
  readonly delegationCapacity?: string | undefined
  /** Rewards that are paid if the validator stays online */
  readonly potentialRewards: Rewards
  /** Status of the validation */
  readonly validationStatus: 'active'
  readonly validatorHealth: ValidatorHealthDetails
  /** Always null, because the location of nodes is unknown */
  readonly geolocation: null
}

/** What the webhook observes */
export interface AddressActivityMetadata {
  /** Observed addresses; an answer contains the first 100, and `/addresses` lists all */
  readonly addresses: readonly string[]
  /** If given, a transaction matches only by logs with one of these signatures that an address emitted or that have it as a topic */
  readonly eventSignatures?: readonly string[] | undefined
}

/** A holder of tokens */
export interface AddressDetails {
  /** Address of the holder, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Number of tokens, as decimal text */
  readonly sortKey: string
}

/** Addresses to add or to remove */
export interface AddressesChangeRequest {
  /** Addresses */
  readonly addresses: readonly string[]
}

/** Total amount of an asset over several outputs */
export interface AggregatedAssetAmount {
  /** Id of the asset, in CB58 */
  readonly assetId: string
  /** Name of the asset */
  readonly name: string
  /** Symbol of the asset */
  readonly symbol: string
  /** Number of decimals in which amounts are shown */
  readonly denomination: number
  /** Kind of output that holds the asset */
  readonly type: 'secp256k1' | 'nft'
  /** Total amount, in the smallest unit, as decimal text */
  readonly amount: string
  /** Number of outputs that hold the amount */
  readonly utxoCount: number
}

/** An output of the P-chain, or of the X- or C-chain */
export type AnyUtxo = PChainUtxo | Utxo

/** An amount of an asset */
export interface AssetAmount {
  /** Id of the asset, in CB58 */
  readonly assetId: string
  /** Name of the asset */
  readonly name: string
  /** Symbol of the asset */
  readonly symbol: string
  /** Number of decimals in which amounts are shown */
  readonly denomination: number
  /** Kind of output that holds the asset */
  readonly type: 'secp256k1' | 'nft'
  /** Amount, in the smallest unit, as decimal text */
  readonly amount: string
}

/** An amount of an asset and its price at the time of the payment */
export interface AssetWithPriceInfo {
  /** Id of the asset, in CB58 */
  readonly assetId: string
  /** Name of the asset */
  readonly name: string
  /** Symbol of the asset */
  readonly symbol: string
  /** Number of decimals in which amounts are shown */
  readonly denomination: number
  /** Kind of output that holds the asset */
  readonly type: 'secp256k1' | 'nft'
  /** Amount, in the smallest unit, as decimal text */
  readonly amount: string
  /** Price in US dollars at the time of the payment, if it is more than a day old */
  readonly historicalPrice?: Money | undefined
}

/** How the supply of AVAX is calculated */
export interface AvaxSupplyCalculation {
  /** Terms and sums, in the order of the calculation */
  readonly lines: readonly SupplyLine[]
  /** Time of the last block of the P-chain, as ISO 8601 */
  readonly lastUpdated: string
  readonly incomplete?: IncompleteSupply | undefined
}

/** The supply of AVAX */
export interface AvaxSupplyResponse {
  /** Unlocked part of the genesis plus rewards minus burned amounts, in AVAX, as decimal text */
  readonly circulatingSupply: string
  /** Genesis plus rewards minus burned amounts, in AVAX, as decimal text */
  readonly totalSupply: string
  /** Burned on the P-chain by transactions, and by L1 validators as fees, in AVAX, as decimal text */
  readonly totalPBurned: string
  /** Burned on the C-chain by EVM and atomic transactions, in AVAX, as decimal text */
  readonly totalCBurned: string
  /** Burned on the X-chain, in AVAX, as decimal text */
  readonly totalXBurned: string
  /** Stake on the Primary Network, in AVAX, as decimal text */
  readonly totalStaked: string
  /** Outputs that are locked, staked or not, in AVAX, as decimal text */
  readonly totalLocked: string
  /** Rewards that were paid, in AVAX, as decimal text */
  readonly totalRewards: string
  /** Time of the last block of the P-chain, as ISO 8601 */
  readonly lastUpdated: string
  /** Part of the genesis that is no longer locked, in AVAX, as decimal text */
  readonly genesisUnlock: string
  /** What L1 validators were charged, in AVAX, as decimal text */
  readonly l1ValidatorFees: string
  readonly incomplete?: IncompleteSupply | undefined
}

/** A page of transactions per second */
export interface AverageTpsResponse {
  /** Days of the page, newest first */
  readonly results: readonly MetricsValue[]
  /** Always 200 */
  readonly status: number
  /** Time of the newest block, in Unix seconds */
  readonly lastRun: number
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Token of the next page; absent on the last page */
  readonly nextPageStartKey?: string | undefined
}

/** Bad Gateway */
export interface BadGateway {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: 'Bad Gateway'
  /** HTTP status */
  readonly statusCode: 502
  /** C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain */
  readonly reason?: string | undefined
  /** Cursor of the oldest kept change, if the requested changes were removed */
  readonly oldestCursor?: string | undefined
  /** Result of each validator, for the signature aggregator */
  readonly report?: unknown | undefined
}

/** Bad Request */
export interface BadRequest {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: 'Bad Request'
  /** HTTP status */
  readonly statusCode: 400
  /** C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain */
  readonly reason?: string | undefined
  /** Cursor of the oldest kept change, if the requested changes were removed */
  readonly oldestCursor?: string | undefined
  /** Result of each validator, for the signature aggregator */
  readonly report?: unknown | undefined
}

/** The owner of the remaining balance of an L1 validator, or the owner that may disable the validator */
export interface BalanceOwner {
  /** Addresses of the owner, in bech32 without a chain prefix */
  readonly addresses: readonly string[]
  /** Number of addresses that must sign */
  readonly threshold: number
}

/** What a balance rests on. Logs of some contracts do not add up to their balances, so balances are compared with the answers of the contracts. */
export interface BalanceSource {
  /** `logs`: sum of the logs of the contract; `chain`: answer of the contract */
  readonly basis: 'logs' | 'chain'
  /** Block after which the balance is valid, as decimal text */
  readonly blockNumber: string
  /** Whether the balance is known to be what the contract returns at this block */
  readonly isChecked: boolean
}

/** Balances on the P-, X- or C-chain */
export type Balances = PChainBalance | XChainBalances | CChainAtomicBalances

/** A blockchain. Lists omit the genesis. */
export interface Blockchain {
  /** Time of the block that created the blockchain, in Unix seconds */
  readonly createBlockTimestamp: number
  /** P-chain block that created the blockchain, or -1 for the genesis, as decimal text */
  readonly createBlockNumber: string
  /** Id of the blockchain, in CB58 */
  readonly blockchainId: string
  /** Id of the virtual machine; `platformvm` for the P-chain, in CB58 */
  readonly vmId: string
  /** Id of the subnet that validates the blockchain, in CB58 */
  readonly subnetId: string
  /** Name of the blockchain */
  readonly blockchainName: string
  /** EVM chain id, from the genesis; 0 if the chain is no EVM chain */
  readonly evmChainId: number
  /** The genesis as a JSON object; as hexadecimal text if it is not JSON */
  readonly genesisData?: unknown | undefined
}

/** A blockchain that a transaction creates */
export interface BlockchainInfo {
  /** Name of the blockchain */
  readonly chainName: string
  /** Id of the virtual machine, in CB58 */
  readonly vmId: string
  /** The genesis as a JSON object, or as a string if it is not JSON */
  readonly genesisData?: unknown | undefined
}

/** A BLS public key */
export interface BlsCredentials {
  /** Compressed public key of 48 bytes, in hexadecimal with 0x */
  readonly publicKey: string
  /** Proof of possession of 96 bytes, if a transaction contains it, in hexadecimal with 0x */
  readonly proofOfPossession?: string | undefined
}

/** An address that has bridged bitcoins */
export interface BtcbBridger {
  /** Address to which BTC.b was minted, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Net bridged amount in units of 10^-8 BTC.b, as decimal text */
  readonly sortKey: string
}

/** A page of addresses that have bridged bitcoins */
export interface BtcbBridgersResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Addresses of the page, highest amount first */
  readonly addresses: readonly BtcbBridger[]
}

/** Amounts that addresses can import to the C-chain. Balances of C-chain accounts are not included. */
export interface CChainAtomicBalances {
  /** Amounts in shared memory that can be imported, one for each asset and exporting chain */
  readonly atomicMemoryUnlocked: readonly SharedAssetBalance[]
  /** Amounts in shared memory that are locked, one for each asset and exporting chain */
  readonly atomicMemoryLocked: readonly SharedAssetBalance[]
}

/** An export from the C-chain or an import to it, distinguished by `txType` */
export type CChainAtomicTransaction = CChainExportTransaction | CChainImportTransaction

/** An export from the C-chain */
export interface CChainExportTransaction {
  /** Id of the transaction, in CB58 */
  readonly txHash: string
  /** Number of the block that contains the transaction */
  readonly blockHeight: number
  /** Hash of this block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Time of this block, in Unix seconds */
  readonly timestamp: number
  /** Memo of the transaction, in hexadecimal with 0x */
  readonly memo: string
  /** Amounts that the transaction consumed, one for each asset */
  readonly amountUnlocked: readonly AssetAmount[]
  /** Amounts that the transaction created, one for each asset */
  readonly amountCreated: readonly AssetAmount[]
  /** Time of the block that contains the transaction, in Unix seconds */
  readonly blockTimestamp: number
  /** Number of the block that contains the transaction, as decimal text */
  readonly blockNumber: string
  /** Amounts of the outputs that the transaction created, one for each asset */
  readonly value: readonly AssetAmount[]
  /** Amounts that the transaction burned as fees, one for each asset */
  readonly amountBurned: readonly AssetAmount[]
  /** Amounts that the transaction staked, one for each asset */
  readonly amountStaked: readonly AssetAmount[]
  /** Amounts that the transaction paid to balances of L1 validators */
  readonly amountL1ValidatorBalanceBurned: readonly AssetAmount[]
  /** Blockchain id of the exporting chain, in CB58 */
  readonly sourceChain: string
  /** Blockchain id of the importing chain, in CB58 */
  readonly destinationChain: string
  /** Type of the transaction */
  readonly txType: 'ExportTx'
  /** Amounts that accounts paid */
  readonly evmInputs: readonly EvmInput[]
  /** Empty, because an export consumes no outputs */
  readonly consumedUtxos: readonly Utxo[]
  /** Exported outputs */
  readonly emittedUtxos: readonly Utxo[]
}

/** An import to the C-chain */
export interface CChainImportTransaction {
  /** Id of the transaction, in CB58 */
  readonly txHash: string
  /** Number of the block that contains the transaction */
  readonly blockHeight: number
  /** Hash of this block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Time of this block, in Unix seconds */
  readonly timestamp: number
  /** Memo of the transaction, in hexadecimal with 0x */
  readonly memo: string
  /** Amounts that the transaction consumed, one for each asset */
  readonly amountUnlocked: readonly AssetAmount[]
  /** Amounts that the transaction created, one for each asset */
  readonly amountCreated: readonly AssetAmount[]
  /** Time of the block that contains the transaction, in Unix seconds */
  readonly blockTimestamp: number
  /** Number of the block that contains the transaction, as decimal text */
  readonly blockNumber: string
  /** Amounts of the outputs that the transaction created, one for each asset */
  readonly value: readonly AssetAmount[]
  /** Amounts that the transaction burned as fees, one for each asset */
  readonly amountBurned: readonly AssetAmount[]
  /** Amounts that the transaction staked, one for each asset */
  readonly amountStaked: readonly AssetAmount[]
  /** Amounts that the transaction paid to balances of L1 validators */
  readonly amountL1ValidatorBalanceBurned: readonly AssetAmount[]
  /** Blockchain id of the exporting chain, in CB58 */
  readonly sourceChain: string
  /** Blockchain id of the importing chain, in CB58 */
  readonly destinationChain: string
  /** Type of the transaction */
  readonly txType: 'ImportTx'
  /** Amounts that accounts received */
  readonly evmOutputs: readonly EvmOutput[]
  /** Imported outputs */
  readonly consumedUtxos: readonly Utxo[]
  /** Empty, because an import creates no outputs */
  readonly emittedUtxos: readonly Utxo[]
}

/** The chains of an address */
export interface ChainAddressChainIdMap {
  /** Address as in the request */
  readonly address: string
  /** Blockchain ids of the chains on which the address has transactions or spendable outputs */
  readonly blockchainIds: readonly string[]
}

/** The chains of each address */
export interface ChainAddressChainIdMapListResponse {
  /** The requested addresses, in the order of the request */
  readonly addresses: readonly ChainAddressChainIdMap[]
  readonly incomplete?: Incomplete | undefined
}

/** An EVM chain that the service serves */
export interface ChainInfo {
  /** EVM chain id, as decimal text */
  readonly chainId: string
  /** `UNAVAILABLE` until the first block of the chain is indexed */
  readonly status: 'OK' | 'UNAVAILABLE'
  /** Name of the chain */
  readonly chainName: string
  /** Description of the chain */
  readonly description: string
  /** Blockchain id, in CB58 */
  readonly platformChainId?: string | undefined
  /** Subnet that validates the chain, in CB58 */
  readonly subnetId?: string | undefined
  /** Id of the virtual machine, in CB58 */
  readonly vmId?: string | undefined
  /** Kind of virtual machine */
  readonly vmName: 'EVM' | 'BITCOIN' | 'ETHEREUM'
  /** URL of a block explorer */
  readonly explorerUrl?: string | undefined
  /** URL of the JSON-RPC API; empty if the operator configured no URL */
  readonly rpcUrl: string
  /** URL of the WebSocket API */
  readonly wsUrl?: string | undefined
  /** Whether the chain belongs to a test network */
  readonly isTestnet: boolean
  readonly utilityAddresses?: UtilityAddresses | undefined
  /** Token in which fees are paid */
  readonly networkToken: NetworkToken
  /** URL of a logo */
  readonly chainLogoUri?: string | undefined
  /** Whether the chain is private */
  readonly private?: boolean | undefined
  /** Features that the service provides for the chain */
  readonly enabledFeatures: readonly ('nftIndexing' | 'webhooks' | 'teleporter')[]
}

/** Values of a metric over windows that end with the newest block */
export interface ChainRollingWindowMetricsValue {
  /** Value of the last hour */
  readonly lastHour: number
  /** Value of the last 24 hours */
  readonly lastDay: number
  /** Value of the last 7 days */
  readonly lastWeek: number
  /** Value of the last 30 days */
  readonly lastMonth: number
  /** Value of the last 90 days */
  readonly last90Days: number
  /** Value of the last 365 days */
  readonly lastYear: number
  /** Value of all blocks */
  readonly allTime: number
}

/** An ERC-721 token or an ERC-1155 balance of an address, distinguished by `ercType` */
export type CollectibleBalance = Erc721TokenBalance | Erc1155TokenBalance

/** A range of blocks without gaps, fully indexed */
export interface CompleteRange {
  /** Number of the first block, as decimal text */
  readonly firstBlockNumber: string
  /** Hash of the first block, 0x and 64 hexadecimal digits */
  readonly firstBlockHash: string
  /** Time of the first block, in Unix seconds */
  readonly firstBlockTimestamp: number
  /** Number of the last block, as decimal text */
  readonly lastBlockNumber: string
  /** Hash of the last block, 0x and 64 hexadecimal digits */
  readonly lastBlockHash: string
  /** SHA-256 of all stored data of these blocks, in order, equal for replicas with the same data, 0x and 64 hexadecimal digits */
  readonly digest: string
  /** Whether the digest is still that without internal calls which were added to an earlier block; absent if not */
  readonly isDigestPending?: boolean | undefined
}

/** A delegation that has ended */
export interface CompletedDelegatorDetails {
  /** Id of the transaction that added the delegator, in CB58 */
  readonly txHash: string
  /** Validator to which the stake is delegated, as NodeID-… */
  readonly nodeId: string
  /** Addresses that receive the reward, in bech32 without a chain prefix */
  readonly rewardAddresses: readonly string[]
  /** Delegated stake, in nAVAX, as decimal text */
  readonly amountDelegated: string
  /** Commission of the validator, in percent, as decimal text */
  readonly delegationFee: string
  /** Start of the delegation, in Unix seconds */
  readonly startTimestamp: number
  /** End of the delegation, in Unix seconds */
  readonly endTimestamp: number
  /** Paid reward before the commission, in nAVAX, as decimal text */
  readonly grossReward: string
  /** Paid reward after the commission, in nAVAX, as decimal text */
  readonly netReward: string
  /** Status of the delegation */
  readonly delegationStatus: 'completed'
}

/** A validator whose period has ended */
export interface CompletedValidatorDetails {
  /** Id of the transaction that added the validator, in CB58 */
  readonly txHash: string
  /** Node of the validator, as NodeID-… */
  readonly nodeId: string
  /** Subnet that is validated, in CB58 */
  readonly subnetId: string
  /** Stake in nAVAX, as decimal text; on permissioned subnets the weight */
  readonly amountStaked: string
  /** Commission on the rewards of delegators, in percent, as decimal text */
  readonly delegationFee?: string | undefined
  /** Start of the validation, in Unix seconds */
  readonly startTimestamp: number
  /** End of the validation, in Unix seconds */
  readonly endTimestamp: number
  /** BLS public key of the validator */
  readonly blsCredentials?: BlsCredentials | undefined
  /** Number of delegators over the whole period */
  readonly delegatorCount: number
  /** Delegated stake over the whole period, in nAVAX, as decimal text */
  readonly amountDelegated?: string | undefined
  /** Paid rewards */
  readonly rewards: Rewards
  /** Status of the validation */
  readonly validationStatus: 'completed'
}

/** The indexed blocks of a chain */
export interface Completeness {
  /** EVM chain id, as decimal text */
  readonly chainId: string
  /** Whether internal calls, and contracts created by other contracts, are indexed */
  readonly hasTraces: boolean
  /** Whether only headers and the logs of chosen events are stored; absent if not */
  readonly isEventsOnly?: boolean | undefined
  /** Block from which on all logs are stored; absent if logs are not stored, as decimal text */
  readonly logsFromBlock?: string | undefined
  /** Block from which on headers, besides the first one, are kept; absent if all are kept, as decimal text */
  readonly blocksFromBlock?: string | undefined
  /** Block from which on internal calls are kept; absent if all are kept, as decimal text */
  readonly tracesFromBlock?: string | undefined
  /** Block up to which internal calls are complete; absent if none are missing (no node has returned the traces of the next block in time yet; it is requested again), as decimal text */
  readonly tracesToBlock?: string | undefined
  /** Block from which on transactions are kept; absent if all are kept, as decimal text */
  readonly transactionsFromBlock?: string | undefined
  /** Block from which on token transfers are kept; absent if all are kept, as decimal text */
  readonly transfersFromBlock?: string | undefined
  /** Block from which on balances and owners are kept; absent if all are kept, as decimal text */
  readonly balancesFromBlock?: string | undefined
  /** Block from which on interchain messages are stored; absent if they are not, as decimal text */
  readonly messagesFromBlock?: string | undefined
  /** Block up to which interchain messages are stored; it is behind while messages of older blocks are read, as decimal text */
  readonly messagesToBlock?: string | undefined
  /** Start of the first hour whose metrics are kept; absent if all are kept, in Unix seconds */
  readonly hourlyMetricsFromTimestamp?: number | undefined
  /** Ranges of indexed blocks */
  readonly ranges: readonly CompleteRange[]
}

/** A contract. `ercType` identifies its token standard. */
export type Contract = Erc721Contract | Erc1155Contract | Erc20Contract | UnknownContract

/** How a contract was created */
export interface ContractDeploymentDetails {
  /** Hash of the creating transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Sender of the creating transaction, in hexadecimal with the ERC-55 checksum */
  readonly deployerAddress: string
  /** Contract that created this contract, if any, in hexadecimal with the ERC-55 checksum */
  readonly deployerContractAddress?: string | undefined
}

/** The contract whose code a proxy runs. It is read again after events that announce an upgrade. */
export interface ContractProxy {
  /** `EIP-1167`: the code of a clone contains the address of the implementation; `EIP-1967`, `EIP-1822`, `ZEPPELINOS`: the proxy stores it, in the slot of this standard; `EIP-1967-BEACON`: a beacon tells it */
  readonly kind: 'EIP-1167' | 'EIP-1967' | 'EIP-1967-BEACON' | 'EIP-1822' | 'ZEPPELINOS'
  /** Contract whose code the proxy runs; missing if the beacon does not tell it, in hexadecimal with the ERC-55 checksum */
  readonly implementation?: string | undefined
  /** Contract that tells the proxy its implementation, in hexadecimal with the ERC-55 checksum */
  readonly beacon?: string | undefined
}

/** A webhook to create */
export type CreateWebhookRequest = EVMAddressActivityRequest | PrimaryNetworkAddressActivityRequest | ValidatorActivityRequest | IcmUndeliveredRequest

/** A decoded call or log. It has `parameters`, or else a `reason` why it is not decoded. */
export interface Decoded {
  /** Signature of the function or event */
  readonly signature?: string | undefined
  /** Parameters in order */
  readonly parameters?: readonly DecodedParameter[] | undefined
  /** Number of bytes after the arguments; absent if there are none */
  readonly extraBytes?: number | undefined
  /** Where the signature is from */
  readonly source?: DecodingSource | undefined
  /** Whether the signature is only a guess by the first four bytes or the first topic, because no verified ABI has it */
  readonly isGuess?: boolean | undefined
  /** Other known signatures that fit as well; absent if there are none */
  readonly alternatives?: readonly string[] | undefined
  /** Why the call or log is not decoded */
  readonly reason?: string | undefined
}

/** A decoded event with its block and transaction */
export interface DecodedEvent {
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Time of the block, in Unix seconds */
  readonly blockTimestamp: number
  /** Time of the block, in Unix milliseconds; absent if the header has none */
  readonly blockTimestampMilliseconds?: number | undefined
  /** Hash of the block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Index of the transaction in its block */
  readonly txIndex: number
  /** Index of the log in its block */
  readonly logIndex: number
  /** Contract that emitted the event, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Parameters by name: integers as decimal text, bytes and addresses as 0x text, arrays and tuples as arrays */
  readonly args: Readonly<Record<string, unknown>>
}

/** A parameter of a decoded call or log */
export interface DecodedParameter {
  /** Name of the parameter; empty if it is not known */
  readonly name: string
  /** Type as in Solidity, with the names of the members of tuples */
  readonly type: string
  /** Value: integers as decimal text, bytes and addresses as 0x text, arrays and tuples as arrays. Bytes of a string that are not UTF-8 are replaced by U+FFFD. */
  readonly value: unknown
  /** Present if the value is a hash, because the parameter is indexed and has a variable size */
  readonly isHash?: boolean | undefined
}

/** The implementation of a proxy at the position of the call or log */
export interface DecodingProxy {
  /** Kind of proxy, as in the contract */
  readonly kind: string
  /** Contract whose code the proxy ran, in hexadecimal with the ERC-55 checksum */
  readonly implementation: string
  /** `code`: the code of a clone contains the implementation; `event`: the last `Upgraded` event before the position names it; `reading`: it was read from the storage of the proxy */
  readonly basis: 'code' | 'event' | 'reading'
  /** Block of the event or the reading, as decimal text */
  readonly blockNumber?: string | undefined
}

/** Where the signature is from */
export interface DecodingSource {
  /** `exact`: ABI of the contract, whose source was verified with its metadata; `partial`: the same without the metadata; `selectors`: guess from a list of signatures of the operator; `standard`: guess from the signatures of common standards */
  readonly kind: 'exact' | 'partial' | 'selectors' | 'standard'
  /** Contract whose ABI was used, in hexadecimal with the ERC-55 checksum */
  readonly contract?: string | undefined
  /** Name of this contract in its source */
  readonly contractName?: string | undefined
  /** Present if the ABI belongs to the implementation of a proxy */
  readonly proxy?: DecodingProxy | undefined
}

/** A pending, current or past delegation on the Primary Network, distinguished by `delegationStatus` */
export type DelegatorDetails = ActiveDelegatorDetails | PendingDelegatorDetails | CompletedDelegatorDetails

/** Delegators of the Primary Network */
export interface DelegatorsDetails {
  /** Number of current delegators */
  readonly delegatorCount: number
  /** Delegated stake, in nAVAX, as decimal text */
  readonly totalAmountStaked: string
}

/** A message that was delivered */
export interface DeliveredIcmMessage {
  /** Id of the message, 64 hexadecimal digits */
  readonly messageId: string
  /** Blockchain id of the source, in CB58 */
  readonly sourceBlockchainId: string
  /** Blockchain id of the destination, in CB58 */
  readonly destinationBlockchainId: string
  /** EVM chain id of the source; `unknown` if it is not known */
  readonly sourceEvmChainId: string
  /** EVM chain id of the destination; `unknown` if it is not known */
  readonly destinationEvmChainId: string
  /** Number of the message, counted by the messenger that sent it */
  readonly messageNonce: string
  /** Account or contract that sent the message, in hexadecimal with the ERC-55 checksum */
  readonly from: string
  /** Contract that executes the message, in hexadecimal with the ERC-55 checksum */
  readonly to: string
  /** Messenger contract, the same on both chains, in hexadecimal with the ERC-55 checksum */
  readonly icmContractAddress: string
  /** Payload for the recipient; `0x` if the message only carries receipts, in hexadecimal with 0x */
  readonly data: string
  /** Whether the recipient has executed the message */
  readonly messageExecuted: boolean
  /** Receipts that the message carries */
  readonly receipts: readonly IcmReceipt[]
  /** Whether the source has got the receipt of this message */
  readonly receiptDelivered: boolean
  readonly rewardDetails: IcmRewardDetails
  readonly sourceTransaction: IcmSourceTransaction
  readonly destinationTransaction: IcmDestinationTransaction
  /** The message was delivered */
  readonly status: 'delivered'
}

/** A message that was delivered, from a chain that is not followed */
export interface DeliveredSourceNotIndexedIcmMessage {
  /** Id of the message, 64 hexadecimal digits */
  readonly messageId: string
  /** Blockchain id of the source, in CB58 */
  readonly sourceBlockchainId: string
  /** Blockchain id of the destination, in CB58 */
  readonly destinationBlockchainId: string
  /** EVM chain id of the source; `unknown` if it is not known */
  readonly sourceEvmChainId: string
  /** EVM chain id of the destination; `unknown` if it is not known */
  readonly destinationEvmChainId: string
  /** Number of the message, counted by the messenger that sent it */
  readonly messageNonce: string
  /** Account or contract that sent the message, in hexadecimal with the ERC-55 checksum */
  readonly from: string
  /** Contract that executes the message, in hexadecimal with the ERC-55 checksum */
  readonly to: string
  /** Messenger contract, the same on both chains, in hexadecimal with the ERC-55 checksum */
  readonly icmContractAddress: string
  /** Payload for the recipient; `0x` if the message only carries receipts, in hexadecimal with 0x */
  readonly data: string
  /** Whether the recipient has executed the message */
  readonly messageExecuted: boolean
  /** Receipts that the message carries */
  readonly receipts: readonly IcmReceipt[]
  /** Whether the source has got the receipt of this message */
  readonly receiptDelivered: boolean
  readonly rewardDetails: IcmRewardDetails
  readonly destinationTransaction: IcmDestinationTransaction
  /** The message was delivered; its source is not followed */
  readonly status: 'delivered_source_not_indexed'
}

/** A message that was delivered, from a chain that is not followed */
export interface DeliveredSourceNotIndexedTeleporterMessage {
  /** Id of the message, 64 hexadecimal digits */
  readonly messageId: string
  /** Blockchain id of the source, in CB58 */
  readonly sourceBlockchainId: string
  /** Blockchain id of the destination, in CB58 */
  readonly destinationBlockchainId: string
  /** EVM chain id of the source; `unknown` if it is not known */
  readonly sourceEvmChainId: string
  /** EVM chain id of the destination; `unknown` if it is not known */
  readonly destinationEvmChainId: string
  /** Number of the message, counted by the messenger that sent it */
  readonly messageNonce: string
  /** Account or contract that sent the message, in hexadecimal with the ERC-55 checksum */
  readonly from: string
  /** Contract that executes the message, in hexadecimal with the ERC-55 checksum */
  readonly to: string
  /** Messenger contract, the same on both chains, in hexadecimal with the ERC-55 checksum */
  readonly teleporterContractAddress: string
  /** Messenger contract, the same on both chains, in hexadecimal with the ERC-55 checksum */
  readonly icmContractAddress: string
  /** Payload for the recipient; `0x` if the message only carries receipts, in hexadecimal with 0x */
  readonly data: string
  /** Whether the recipient has executed the message */
  readonly messageExecuted: boolean
  /** Receipts that the message carries */
  readonly receipts: readonly TeleporterReceipt[]
  /** Whether the source has got the receipt of this message */
  readonly receiptDelivered: boolean
  readonly rewardDetails: TeleporterRewardDetails
  readonly destinationTransaction: TeleporterDestinationTransaction
  /** The message was delivered; its source is not followed */
  readonly status: 'delivered_source_not_indexed'
}

/** A message that was delivered */
export interface DeliveredTeleporterMessage {
  /** Id of the message, 64 hexadecimal digits */
  readonly messageId: string
  /** Blockchain id of the source, in CB58 */
  readonly sourceBlockchainId: string
  /** Blockchain id of the destination, in CB58 */
  readonly destinationBlockchainId: string
  /** EVM chain id of the source; `unknown` if it is not known */
  readonly sourceEvmChainId: string
  /** EVM chain id of the destination; `unknown` if it is not known */
  readonly destinationEvmChainId: string
  /** Number of the message, counted by the messenger that sent it */
  readonly messageNonce: string
  /** Account or contract that sent the message, in hexadecimal with the ERC-55 checksum */
  readonly from: string
  /** Contract that executes the message, in hexadecimal with the ERC-55 checksum */
  readonly to: string
  /** Messenger contract, the same on both chains, in hexadecimal with the ERC-55 checksum */
  readonly teleporterContractAddress: string
  /** Messenger contract, the same on both chains, in hexadecimal with the ERC-55 checksum */
  readonly icmContractAddress: string
  /** Payload for the recipient; `0x` if the message only carries receipts, in hexadecimal with 0x */
  readonly data: string
  /** Whether the recipient has executed the message */
  readonly messageExecuted: boolean
  /** Receipts that the message carries */
  readonly receipts: readonly TeleporterReceipt[]
  /** Whether the source has got the receipt of this message */
  readonly receiptDelivered: boolean
  readonly rewardDetails: TeleporterRewardDetails
  readonly sourceTransaction: TeleporterSourceTransaction
  readonly destinationTransaction: TeleporterDestinationTransaction
  /** The message was delivered */
  readonly status: 'delivered'
}

/** A signed Warp message, with details on request */
export interface DetailedSignatureAggregationResponse {
  /** Signed message in hexadecimal, without 0x */
  readonly signedMessage: string
  /** Result of each validator, if report=true */
  readonly report?: unknown | undefined
  /** Validator set, if proof=true */
  readonly proof?: unknown | undefined
}

/** A webhook for an EVM chain */
export interface EVMAddressActivityRequest {
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
  readonly chainId: string
  /** Kind of the events */
  readonly eventType: 'address_activity'
  readonly metadata: AddressActivityMetadata
  /** Whether messages contain internal calls; messages of a block whose traces no node has returned in time contain none */
  readonly includeInternalTxs?: boolean | undefined
  /** Whether messages contain the logs of the transaction */
  readonly includeLogs?: boolean | undefined
  /** `executed` (default) and `accepted`: sent once the block is stored, which is after its execution; `settled`: sent once a later block declares the results settled (ACP-194) */
  readonly finality?: 'accepted' | 'executed' | 'settled' | undefined
}

/** A webhook for an EVM chain */
export interface EVMAddressActivityResponse {
  /** Id of the webhook */
  readonly id: string
  /** URL to which messages are sent; empty if they are read as a stream */
  readonly url: string
  /** The chain, as the creator of the webhook named it */
  readonly chainId: string
  /** Whether messages are sent */
  readonly status: 'active' | 'inactive'
  /** Why the service deactivated the webhook */
  readonly inactiveReason?: string | undefined
  /** Time of creation, in Unix seconds */
  readonly createdAt: number
  /** Name; may be empty */
  readonly name: string
  /** Description; may be empty */
  readonly description: string
  /** Key of the signatures: the `text` of the secret, or the 32 bytes of which it is the hexadecimal form (`hex`) */
  readonly secretEncoding: 'text' | 'hex'
  /** Kind of the events */
  readonly eventType: 'address_activity'
  readonly metadata: AddressActivityMetadata
  /** Whether messages contain internal calls; messages of a block whose traces no node has returned in time contain none */
  readonly includeInternalTxs?: boolean | undefined
  /** Whether messages contain the logs of the transaction */
  readonly includeLogs?: boolean | undefined
  /** `executed` (default) and `accepted`: sent once the block is stored, which is after its execution; `settled`: sent once a later block declares the results settled (ACP-194) */
  readonly finality?: 'accepted' | 'executed' | 'settled' | undefined
}

/** An ERC-1155 contract */
export interface Erc1155Contract {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name that the contract returns, or that it has in its verified source */
  readonly name?: string | undefined
  /** Symbol that the contract returns */
  readonly symbol?: string | undefined
  /** Description */
  readonly description?: string | undefined
  /** URL of the official site */
  readonly officialSite?: string | undefined
  /** E-mail address */
  readonly email?: string | undefined
  /** Logo */
  readonly logoAsset?: ImageAsset | undefined
  /** Banner */
  readonly bannerAsset?: ImageAsset | undefined
  /** Colour, as in CSS */
  readonly color?: string | undefined
  /** Links */
  readonly resourceLinks?: readonly ResourceLink[] | undefined
  /** Tags */
  readonly tags?: readonly string[] | undefined
  readonly pricingProviders?: PricingProviders | undefined
  readonly deploymentDetails?: ContractDeploymentDetails | undefined
  /** Reasons for which the token may be spam; empty if nothing says so. They are hints and not a security analysis. */
  readonly spamReasons: readonly ('REPORTED' | 'NATIVE_NAME' | 'LOOKALIKE_NAME' | 'HIDDEN_CHARACTERS' | 'URL_IN_NAME' | 'UNREQUESTED_AIRDROP')[]
  readonly proxy?: ContractProxy | undefined
  /** Token standard of the contract */
  readonly ercType: 'ERC-1155'
}

/** A token of an ERC-1155 contract */
export interface Erc1155Token {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Token standard */
  readonly ercType: 'ERC-1155'
  /** Token id within the contract, as decimal text */
  readonly tokenId: string
  /** URI of the metadata; empty if the contract has none */
  readonly tokenUri: string
  readonly metadata: Erc1155TokenMetadata
}

/** Balance of an address in an ERC-1155 token */
export interface Erc1155TokenBalance {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Token standard */
  readonly ercType: 'ERC-1155'
  /** Token id within the contract, as decimal text */
  readonly tokenId: string
  /** URI of the metadata; empty if the contract has none */
  readonly tokenUri: string
  readonly metadata: Erc1155TokenMetadata
  /** EVM chain id, as decimal text */
  readonly chainId: string
  /** Number of tokens, as decimal text */
  readonly balance: string
  /** What the balance rests on */
  readonly balanceSource: BalanceSource
  /** Reasons for which the token may be spam; empty if nothing says so. They are hints and not a security analysis. */
  readonly spamReasons: readonly ('REPORTED' | 'NATIVE_NAME' | 'LOOKALIKE_NAME' | 'HIDDEN_CHARACTERS' | 'URL_IN_NAME' | 'UNREQUESTED_AIRDROP')[]
}

/** Metadata of an ERC-1155 token */
export interface Erc1155TokenMetadata {
  /** Result of the last attempt to read the metadata */
  readonly indexStatus: 'UNKNOWN' | 'MISSING_TOKEN' | 'INVALID_TOKEN_URI' | 'INVALID_TOKEN_URI_SCHEME' | 'UNREACHABLE_TOKEN_URI' | 'THROTTLED_TOKEN_URI' | 'METADATA_CONTENT_TOO_LARGE' | 'INVALID_METADATA' | 'INVALID_METADATA_JSON' | 'INDEXED' | 'UNINDEXED'
  /** Time of this attempt, in Unix seconds */
  readonly metadataLastUpdatedTimestamp?: number | undefined
  /** Name */
  readonly name?: string | undefined
  /** Symbol */
  readonly symbol?: string | undefined
  /** URI of an image */
  readonly imageUri?: string | undefined
  /** SHA-256 of the stored copy of the image, which …/nfts/images/{imageHash} returns, 0x and 64 hexadecimal digits */
  readonly imageHash?: string | undefined
  /** Description */
  readonly description?: string | undefined
  /** URI of an animation */
  readonly animationUri?: string | undefined
  /** URL of a page about the token */
  readonly externalUrl?: string | undefined
  /** Background colour */
  readonly background?: string | undefined
  /** Number of decimals in which amounts are shown */
  readonly decimals?: number | undefined
  /** Properties, as JSON text */
  readonly properties?: string | undefined
}

/** An ERC-1155 transfer with its block and transaction */
export interface Erc1155Transfer {
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Time of the block, in Unix seconds */
  readonly blockTimestamp: number
  /** Time of the block, in Unix milliseconds; absent if the header has none */
  readonly blockTimestampMilliseconds?: number | undefined
  /** Hash of the block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Sender; the zero address for a mint */
  readonly from: RichAddress
  /** Recipient; the zero address for a burn */
  readonly to: RichAddress
  /** Index of the log in its block */
  readonly logIndex: number
  /** Number of transferred tokens, as decimal text */
  readonly value: string
  /** Transferred token */
  readonly erc1155Token: Erc1155Token
}

/** An ERC-1155 transfer within its transaction */
export interface Erc1155TransferDetails {
  /** Sender; the zero address for a mint */
  readonly from: RichAddress
  /** Recipient; the zero address for a burn */
  readonly to: RichAddress
  /** Index of the log in its block */
  readonly logIndex: number
  /** Number of transferred tokens, as decimal text */
  readonly value: string
  /** Transferred token */
  readonly erc1155Token: Erc1155Token
}

/** An ERC-20 contract */
export interface Erc20Contract {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name that the contract returns, or that it has in its verified source */
  readonly name?: string | undefined
  /** Symbol that the contract returns */
  readonly symbol?: string | undefined
  /** Description */
  readonly description?: string | undefined
  /** URL of the official site */
  readonly officialSite?: string | undefined
  /** E-mail address */
  readonly email?: string | undefined
  /** Logo */
  readonly logoAsset?: ImageAsset | undefined
  /** Banner */
  readonly bannerAsset?: ImageAsset | undefined
  /** Colour, as in CSS */
  readonly color?: string | undefined
  /** Links */
  readonly resourceLinks?: readonly ResourceLink[] | undefined
  /** Tags */
  readonly tags?: readonly string[] | undefined
  readonly pricingProviders?: PricingProviders | undefined
  readonly deploymentDetails?: ContractDeploymentDetails | undefined
  /** Reasons for which the token may be spam; empty if nothing says so. They are hints and not a security analysis. */
  readonly spamReasons: readonly ('REPORTED' | 'NATIVE_NAME' | 'LOOKALIKE_NAME' | 'HIDDEN_CHARACTERS' | 'URL_IN_NAME' | 'UNREQUESTED_AIRDROP')[]
  readonly proxy?: ContractProxy | undefined
  /** Token standard of the contract */
  readonly ercType: 'ERC-20'
  /** Number of decimals in which amounts are shown */
  readonly decimals: number
}

/** An ERC-20 token */
export interface Erc20Token {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name of the token; empty if the contract has no name */
  readonly name: string
  /** Symbol of the token; empty if the contract has no symbol */
  readonly symbol: string
  /** Number of decimals in which amounts are shown */
  readonly decimals: number
  /** Token standard */
  readonly ercType: 'ERC-20'
  /** URL of a logo */
  readonly logoUri?: string | undefined
  /** Price of one token, in US dollars if the endpoint has no `currency` */
  readonly price?: Money | undefined
}

/** Balance of an address in an ERC-20 token */
export interface Erc20TokenBalance {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name of the token; empty if the contract has no name */
  readonly name: string
  /** Symbol of the token; empty if the contract has no symbol */
  readonly symbol: string
  /** Number of decimals in which amounts are shown */
  readonly decimals: number
  /** Token standard */
  readonly ercType: 'ERC-20'
  /** URL of a logo */
  readonly logoUri?: string | undefined
  /** Price of one token, in US dollars if the endpoint has no `currency` */
  readonly price?: Money | undefined
  /** EVM chain id, as decimal text */
  readonly chainId: string
  /** Balance, in the smallest unit, as decimal text */
  readonly balance: string
  /** What the balance rests on */
  readonly balanceSource: BalanceSource
  /** What the balance is worth, if the price is known */
  readonly balanceValue?: Money | undefined
  /** Reasons for which the token may be spam; empty if nothing says so. They are hints and not a security analysis. */
  readonly spamReasons: readonly ('REPORTED' | 'NATIVE_NAME' | 'LOOKALIKE_NAME' | 'HIDDEN_CHARACTERS' | 'URL_IN_NAME' | 'UNREQUESTED_AIRDROP')[]
  readonly tokenReputation: TokenReputation
}

/** An ERC-20 transfer with its block and transaction */
export interface Erc20Transfer {
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Time of the block, in Unix seconds */
  readonly blockTimestamp: number
  /** Time of the block, in Unix milliseconds; absent if the header has none */
  readonly blockTimestampMilliseconds?: number | undefined
  /** Hash of the block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Sender; the zero address for a mint */
  readonly from: RichAddress
  /** Recipient; the zero address for a burn */
  readonly to: RichAddress
  /** Index of the log in its block */
  readonly logIndex: number
  /** Transferred amount, in the smallest unit, as decimal text */
  readonly value: string
  /** Transferred token */
  readonly erc20Token: Erc20Token
}

/** An ERC-20 transfer within its transaction */
export interface Erc20TransferDetails {
  /** Sender; the zero address for a mint */
  readonly from: RichAddress
  /** Recipient; the zero address for a burn */
  readonly to: RichAddress
  /** Index of the log in its block */
  readonly logIndex: number
  /** Transferred amount, in the smallest unit, as decimal text */
  readonly value: string
  /** Transferred token */
  readonly erc20Token: Erc20Token
}

/** An ERC-721 contract */
export interface Erc721Contract {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name that the contract returns, or that it has in its verified source */
  readonly name?: string | undefined
  /** Symbol that the contract returns */
  readonly symbol?: string | undefined
  /** Description */
  readonly description?: string | undefined
  /** URL of the official site */
  readonly officialSite?: string | undefined
  /** E-mail address */
  readonly email?: string | undefined
  /** Logo */
  readonly logoAsset?: ImageAsset | undefined
  /** Banner */
  readonly bannerAsset?: ImageAsset | undefined
  /** Colour, as in CSS */
  readonly color?: string | undefined
  /** Links */
  readonly resourceLinks?: readonly ResourceLink[] | undefined
  /** Tags */
  readonly tags?: readonly string[] | undefined
  readonly pricingProviders?: PricingProviders | undefined
  readonly deploymentDetails?: ContractDeploymentDetails | undefined
  /** Reasons for which the token may be spam; empty if nothing says so. They are hints and not a security analysis. */
  readonly spamReasons: readonly ('REPORTED' | 'NATIVE_NAME' | 'LOOKALIKE_NAME' | 'HIDDEN_CHARACTERS' | 'URL_IN_NAME' | 'UNREQUESTED_AIRDROP')[]
  readonly proxy?: ContractProxy | undefined
  /** Token standard of the contract */
  readonly ercType: 'ERC-721'
}

/** A token of an ERC-721 contract */
export interface Erc721Token {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name of the contract; empty if it has none */
  readonly name: string
  /** Symbol of the contract; empty if it has none */
  readonly symbol: string
  /** Token standard */
  readonly ercType: 'ERC-721'
  /** Token id within the contract, as decimal text */
  readonly tokenId: string
  /** URI of the metadata; empty if the contract has none */
  readonly tokenUri: string
  readonly metadata: Erc721TokenMetadata
  /** Owner of the token, in hexadecimal with the ERC-55 checksum */
  readonly ownerAddress?: string | undefined
}

/** An ERC-721 token that an address owns */
export interface Erc721TokenBalance {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name of the contract; empty if it has none */
  readonly name: string
  /** Symbol of the contract; empty if it has none */
  readonly symbol: string
  /** Token standard */
  readonly ercType: 'ERC-721'
  /** Token id within the contract, as decimal text */
  readonly tokenId: string
  /** URI of the metadata; empty if the contract has none */
  readonly tokenUri: string
  readonly metadata: Erc721TokenMetadata
  /** Owner of the token, in hexadecimal with the ERC-55 checksum */
  readonly ownerAddress?: string | undefined
  /** EVM chain id, as decimal text */
  readonly chainId: string
  /** What the ownership rests on */
  readonly balanceSource: BalanceSource
  /** Reasons for which the token may be spam; empty if nothing says so. They are hints and not a security analysis. */
  readonly spamReasons: readonly ('REPORTED' | 'NATIVE_NAME' | 'LOOKALIKE_NAME' | 'HIDDEN_CHARACTERS' | 'URL_IN_NAME' | 'UNREQUESTED_AIRDROP')[]
}

/** Metadata of an ERC-721 token */
export interface Erc721TokenMetadata {
  /** Result of the last attempt to read the metadata */
  readonly indexStatus: 'UNKNOWN' | 'MISSING_TOKEN' | 'INVALID_TOKEN_URI' | 'INVALID_TOKEN_URI_SCHEME' | 'UNREACHABLE_TOKEN_URI' | 'THROTTLED_TOKEN_URI' | 'METADATA_CONTENT_TOO_LARGE' | 'INVALID_METADATA' | 'INVALID_METADATA_JSON' | 'INDEXED' | 'UNINDEXED'
  /** Time of this attempt, in Unix seconds */
  readonly metadataLastUpdatedTimestamp?: number | undefined
  /** Name */
  readonly name?: string | undefined
  /** Symbol */
  readonly symbol?: string | undefined
  /** URI of an image */
  readonly imageUri?: string | undefined
  /** SHA-256 of the stored copy of the image, which …/nfts/images/{imageHash} returns, 0x and 64 hexadecimal digits */
  readonly imageHash?: string | undefined
  /** Description */
  readonly description?: string | undefined
  /** URI of an animation */
  readonly animationUri?: string | undefined
  /** URL of a page about the token */
  readonly externalUrl?: string | undefined
  /** Background colour */
  readonly background?: string | undefined
  /** Attributes, as JSON text */
  readonly attributes?: string | undefined
}

/** An ERC-721 transfer with its block and transaction */
export interface Erc721Transfer {
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Time of the block, in Unix seconds */
  readonly blockTimestamp: number
  /** Time of the block, in Unix milliseconds; absent if the header has none */
  readonly blockTimestampMilliseconds?: number | undefined
  /** Hash of the block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Sender; the zero address for a mint */
  readonly from: RichAddress
  /** Recipient; the zero address for a burn */
  readonly to: RichAddress
  /** Index of the log in its block */
  readonly logIndex: number
  /** Transferred token */
  readonly erc721Token: Erc721Token
}

/** An ERC-721 transfer within its transaction */
export interface Erc721TransferDetails {
  /** Sender; the zero address for a mint */
  readonly from: RichAddress
  /** Recipient; the zero address for a burn */
  readonly to: RichAddress
  /** Index of the log in its block */
  readonly logIndex: number
  /** Transferred token */
  readonly erc721Token: Erc721Token
}

/** An ERC-721 or ERC-1155 token, distinguished by `ercType` */
export type ErcToken = Erc721Token | Erc1155Token

/** A transfer of an ERC-20, ERC-721 or ERC-1155 token */
export type ErcTransfer = Erc20Transfer | Erc1155Transfer | Erc721Transfer

/** A log with its block and transaction */
export interface EventLog {
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Time of the block, in Unix seconds */
  readonly blockTimestamp: number
  /** Time of the block, in Unix milliseconds; absent if the header has none */
  readonly blockTimestampMilliseconds?: number | undefined
  /** Hash of the block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Index of the transaction in its block */
  readonly txIndex: number
  /** Index of the log in its block */
  readonly logIndex: number
  /** Contract that emitted the log, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** At most four hashes or words of 32 bytes */
  readonly topics: readonly string[]
  /** Data of the log, in hexadecimal with 0x */
  readonly data: string
  /** The decoded event; present with `decode=true` */
  readonly decoded?: Decoded | undefined
}

/** A block of an EVM chain */
export interface EvmBlock {
  /** EVM chain id, as decimal text */
  readonly chainId: string
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Time of the block, in Unix seconds */
  readonly blockTimestamp: number
  /** Time of the block, in Unix milliseconds; absent if the header has none */
  readonly blockTimestampMilliseconds?: number | undefined
  /** Hash of the block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Minimum delay to the next block, as the excess in the header */
  readonly blockMinDelayExcess?: number | undefined
  /** Number of transactions */
  readonly txCount: number
  /** Base fee for each unit of gas; 0 if the header has none, in wei, as decimal text */
  readonly baseFee: string
  /** Gas used according to the header; with asynchronous execution the reserved gas, in units of gas, as decimal text */
  readonly gasUsed: string
  /** Gas limit of the block, in units of gas, as decimal text */
  readonly gasLimit: string
  /** Block gas cost of the header, as decimal text; 0 if the header has none */
  readonly gasCost: string
  /** Hash of the parent block, 0x and 64 hexadecimal digits */
  readonly parentHash: string
  /** Total fees paid by the transactions of the block, in wei, as decimal text */
  readonly feesSpent: string
  /** Number of transactions from the first indexed block up to this block, as decimal text */
  readonly cumulativeTransactions: string
  /** executed: the block is accepted and executed; settled: a later block contains the results of its execution. Blocks are returned once they are executed. Absent if the headers of the chain declare no settled height (no asynchronous execution). */
  readonly finality?: 'executed' | 'settled' | undefined
}

/** An EVM chain with metrics */
export interface EvmChain {
  /** EVM chain id */
  readonly evmChainId: number
  /** Name of the chain */
  readonly chainName: string
  /** Blockchain id; empty for a chain outside of Avalanche, in CB58 */
  readonly blockchainId: string
  /** Subnet that validates the chain; empty for a chain outside of Avalanche, in CB58 */
  readonly subnetId: string
  /** Kind of network of the chain */
  readonly network: 'mainnet' | 'testnet'
}

/** An amount that an account of the C-chain paid */
export interface EvmInput {
  /** Account, in hexadecimal with the ERC-55 checksum */
  readonly fromAddress: string
  /** Amount that the account paid */
  readonly asset: AssetAmount
  /** Signatures of the account */
  readonly credentials: readonly UtxoCredential[]
}

/** An amount that an account of the C-chain received */
export interface EvmOutput {
  /** Account, in hexadecimal with the ERC-55 checksum */
  readonly toAddress: string
  /** Amount that the account received */
  readonly asset: AssetAmount
}

/** Forbidden */
export interface Forbidden {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: 'Forbidden'
  /** HTTP status */
  readonly statusCode: 403
  /** C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain */
  readonly reason?: string | undefined
  /** Cursor of the oldest kept change, if the requested changes were removed */
  readonly oldestCursor?: string | undefined
  /** Result of each validator, for the signature aggregator */
  readonly report?: unknown | undefined
}

/** A transaction of an EVM chain with its input data and fee caps */
export interface FullNativeTransactionDetails {
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Time of the block, in Unix seconds */
  readonly blockTimestamp: number
  /** Time of the block, in Unix milliseconds; absent if the header has none */
  readonly blockTimestampMilliseconds?: number | undefined
  /** Hash of the block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Minimum delay to the next block, as the excess in the header of the block */
  readonly blockMinDelayExcess?: number | undefined
  /** EVM chain id, as decimal text */
  readonly chainId: string
  /** Index of the transaction in its block */
  readonly blockIndex: number
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** `1` for success, `0` for failure */
  readonly txStatus: string
  /** EIP-2718 type of the transaction */
  readonly txType: number
  /** Gas limit, in units of gas, as decimal text */
  readonly gasLimit: string
  /** Gas used, in units of gas, as decimal text */
  readonly gasUsed: string
  /** Price paid for each unit of gas, in wei, as decimal text */
  readonly gasPrice: string
  /** Nonce of the sender, as decimal text */
  readonly nonce: string
  /** Sender */
  readonly from: RichAddress
  /** Recipient; the zero address for the creation of a contract */
  readonly to: RichAddress
  /** Method that the transaction calls */
  readonly method?: Method | undefined
  /** Transferred amount, in wei, as decimal text */
  readonly value: string
  /** executed: the block is accepted and executed; settled: a later block contains the results of its execution. Blocks are returned once they are executed. Absent if the headers of the chain declare no settled height (no asynchronous execution). */
  readonly finality?: 'executed' | 'settled' | undefined
  /** Input data, in hexadecimal with 0x */
  readonly input: string
  /** The decoded call of a contract; present with `decode=true` */
  readonly decoded?: Decoded | undefined
  /** Base fee of the block for each unit of gas, in wei, as decimal text */
  readonly baseFeePerGas: string
  /** Fee cap for each unit of gas, in wei, as decimal text */
  readonly maxFeePerGas?: string | undefined
  /** Priority fee cap for each unit of gas, in wei, as decimal text */
  readonly maxPriorityFeePerGas?: string | undefined
}

/** Parameters that can be too long for a URL */
export interface GetLastActivityTimestampByAddressesV2Request {
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses: readonly string[]
}

/** Balance of an address in the native token */
export interface GetNativeBalanceResponse {
  readonly nativeTokenBalance: NativeTokenBalance
}

/** Number and stake of the validators and delegators of the Primary Network */
export interface GetNetworkDetailsResponse {
  readonly validatorDetails: ValidatorsDetails
  readonly delegatorDetails: DelegatorsDetails
}

/** A transaction with its token transfers and internal calls */
export interface GetTransactionResponse {
  readonly nativeTransaction: FullNativeTransactionDetails
  /** Logs, at most 200; present with `decode=true` if the logs of the block are stored */
  readonly logs?: readonly TransactionLog[] | undefined
  /** Whether the transaction has more logs than `logs` contains; see `/logs` */
  readonly hasMoreLogs?: boolean | undefined
  /** Token transfers; absent if the transfers of the block are no longer kept */
  readonly erc20Transfers?: readonly Erc20TransferDetails[] | undefined
  /** Token transfers; absent if the transfers of the block are no longer kept */
  readonly erc721Transfers?: readonly Erc721TransferDetails[] | undefined
  /** Token transfers; absent if the transfers of the block are no longer kept */
  readonly erc1155Transfers?: readonly Erc1155TransferDetails[] | undefined
  /** Internal calls; absent if the node of the chain does not trace transactions, if no node has returned the traces of the block in time yet, or if the calls of the block are no longer kept */
  readonly internalTransactions?: readonly InternalTransactionDetails[] | undefined
  readonly networkTokenDetails: NetworkTokenDetails
  /** First message that the transaction sent to another chain, or received */
  readonly teleporterMessageInfo?: TeleporterMessageInfo | undefined
}

/** Parameters that can be too long for a URL */
export interface GetUtxosByAddressesV2Request {
  /** Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal */
  readonly addresses: readonly string[]
}

/** Gone */
export interface Gone {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: 'Gone'
  /** HTTP status */
  readonly statusCode: 410
  /** C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain */
  readonly reason?: string | undefined
  /** Cursor of the oldest kept change, if the requested changes were removed */
  readonly oldestCursor?: string | undefined
  /** Result of each validator, for the signature aggregator */
  readonly report?: unknown | undefined
}

/** Health of the service */
export interface HealthCheckResult {
  /** Health of the whole service */
  readonly status: 'ok' | 'error' | 'shutting_down'
  /** Parts that work, by name */
  readonly info: Readonly<Record<string, HealthIndicatorResult>>
  /** Parts that do not work, by name */
  readonly error: Readonly<Record<string, HealthIndicatorResult>>
  /** All parts, by name */
  readonly details: Readonly<Record<string, HealthIndicatorResult>>
}

/** Health of a part of the service */
export interface HealthIndicatorResult {
  /** Whether the part works */
  readonly status: 'up' | 'down'
}

/** A paid reward */
export interface HistoricalReward {
  /** Addresses that receive the reward, in bech32 without a chain prefix */
  readonly addresses: readonly string[]
  /** Id of the transaction that added the staker, in CB58 */
  readonly txHash: string
  /** Stake, in nAVAX, as decimal text */
  readonly amountStaked: string
  /** Validator, or the validator to which the stake is delegated, as NodeID-… */
  readonly nodeId: string
  /** Start of the stake, in Unix seconds */
  readonly startTimestamp: number
  /** End of the stake, in Unix seconds */
  readonly endTimestamp: number
  /** Kind of reward */
  readonly rewardType: 'VALIDATOR' | 'DELEGATOR' | 'VALIDATOR_FEE'
  /** Id of the output that pays the reward, in CB58 */
  readonly utxoId: string
  /** Index of this output in its transaction */
  readonly outputIndex: number
  readonly reward: AssetWithPriceInfo
  /** Id of the transaction that paid the reward, in CB58 */
  readonly rewardTxHash: string
}

/** A holder of a token */
export interface Holder {
  /** Address of the holder, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Balance, in the smallest unit of the token and rounded */
  readonly sortKey: number
}

/** A page of a list */
export interface ICMMetricsApiResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Intervals of the page */
  readonly results: readonly ICMMetricsValue[]
}

/** Number of messages of an interval */
export interface ICMMetricsValue {
  /** Number of messages */
  readonly value: number
  /** Start of the interval, in Unix seconds */
  readonly timestamp: number
  /** Blockchain id of the source; `total` for all sources, in CB58 */
  readonly srcBlockchainId: string
  /** Blockchain id of the destination; `total` for all destinations, in CB58 */
  readonly destBlockchainId: string
}

/** Numbers of messages */
export interface ICMRollingWindowMetricsApiResponse {
  /** All messages that match the filters */
  readonly result: ICMRollingWindowMetricsValue
  /** With `groupBy`: the routes with the most messages, at most 1,000 */
  readonly results?: readonly ICMRollingWindowMetricsValue[] | undefined
}

/** Numbers of messages over windows */
export interface ICMRollingWindowMetricsValue {
  /** Number of messages of the last hour */
  readonly lastHour: number
  /** Number of messages of the last 24 hours */
  readonly lastDay: number
  /** Number of messages of the last 7 days */
  readonly lastWeek: number
  /** Number of messages of the last 30 days */
  readonly lastMonth: number
  /** Number of messages of the last 90 days */
  readonly last90Days: number
  /** Number of messages of the last 365 days */
  readonly lastYear: number
  /** Number of messages of all blocks */
  readonly allTime: number
  /** Blockchain id of the source; `total` for all sources, in CB58 */
  readonly srcBlockchainId: string
  /** Blockchain id of the destination; `total` for all destinations, in CB58 */
  readonly destBlockchainId: string
}

/** The transaction that delivered the message */
export interface IcmDestinationTransaction {
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Time of its block, in Unix seconds */
  readonly timestamp: number
  /** Gas that the transaction used, in units of gas, as decimal text */
  readonly gasSpent: string
  /** Address that may redeem the fee on the source, in hexadecimal with the ERC-55 checksum */
  readonly rewardRedeemer: string
  /** Account that delivered the message, in hexadecimal with the ERC-55 checksum */
  readonly delivererAddress: string
}

/** A message. `status` is its state. */
export type IcmMessage = DeliveredIcmMessage | PendingIcmMessage | DeliveredSourceNotIndexedIcmMessage

/** Everything that the followed chains logged about a message */
export interface IcmMessageStory {
  /** `teleporter` for a message of a messenger contract; `warp` for other Warp messages, of which only the sending is known */
  readonly kind: 'teleporter' | 'warp'
  /** How far the message has got; `failed` until a retry executes it. A message without payload stays `delivered`. `sent` also if the destination is not followed */
  readonly status: 'sent' | 'delivered' | 'executed' | 'failed'
  /** Whether it was executed by a retry, after its delivery */
  readonly isRetried: boolean
  /** Whether it was sent again */
  readonly isResent: boolean
  /** Id of the message, 64 hexadecimal digits */
  readonly messageId?: string | undefined
  /** Blockchain id of the source, in CB58 */
  readonly sourceBlockchainId?: string | undefined
  /** Blockchain id of the destination, in CB58 */
  readonly destinationBlockchainId?: string | undefined
  /** EVM chain id of the source; `unknown` if it is not known */
  readonly sourceEvmChainId?: string | undefined
  /** EVM chain id of the destination; `unknown` if it is not known */
  readonly destinationEvmChainId?: string | undefined
  /** Number of the message, counted by the messenger that sent it */
  readonly messageNonce?: string | undefined
  /** Account or contract that sent the message, in hexadecimal with the ERC-55 checksum */
  readonly from?: string | undefined
  /** Contract that executes the message, in hexadecimal with the ERC-55 checksum */
  readonly to?: string | undefined
  /** Id of the Warp message; absent if the source is not followed, in CB58 */
  readonly warpMessageId?: string | undefined
  /** Messenger contract, the same on both chains; otherwise the sender of the Warp message, in hexadecimal with the ERC-55 checksum */
  readonly contractAddress: string
  /** Whether the service follows the source. If not, fees, receipts and resends are not known */
  readonly isSourceFollowed: boolean
  /** Whether the service follows the destination. If not, delivery and execution are not known */
  readonly isDestinationFollowed?: boolean | undefined
  /** Payload for the recipient, in hexadecimal with 0x */
  readonly data?: string | undefined
  /** Gas that the relayer must provide for the execution, in units of gas, as decimal text */
  readonly requiredGasLimit?: string | undefined
  /** Accounts that may deliver the message; empty for everyone */
  readonly allowedRelayers?: readonly string[] | undefined
  /** Receipts that the message carries */
  readonly receipts?: readonly IcmReceipt[] | undefined
  readonly fee?: IcmRewardDetails | undefined
  /** Warp message without signature; absent if the source is not followed, in hexadecimal with 0x */
  readonly unsignedMessage?: string | undefined
  /** Signatures of the message, if `signatures=true` */
  readonly signatures?: IcmSignatures | undefined
  /** What happened, in the order of time; at most the 50 newest events of each type */
  readonly events: readonly IcmStoryEvent[]
}

/** Confirms the delivery of an earlier message in the opposite direction */
export interface IcmReceipt {
  /** Nonce of the message that was delivered */
  readonly receivedMessageNonce: string
  /** Address that may redeem its fee, in hexadecimal with the ERC-55 checksum */
  readonly relayerRewardAddress: string
}

/** The fee of a message */
export interface IcmRewardDetails {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name of the token; empty if the contract has no name */
  readonly name: string
  /** Symbol of the token; empty if the contract has no symbol */
  readonly symbol: string
  /** Number of decimals in which amounts are shown */
  readonly decimals: number
  /** URL of a logo */
  readonly logoUri?: string | undefined
  /** Price of one token, in US dollars if the endpoint has no `currency` */
  readonly price?: Money | undefined
  /** Token standard */
  readonly ercType: 'ERC-20'
  /** Amount of the fee; 0 if there is none, or if the source is not followed, in the smallest unit, as decimal text */
  readonly value: string
}

/** The signatures of a message, from the signature aggregator */
export interface IcmSignatures {
  /** Signed message in hexadecimal, without 0x */
  readonly signedMessage?: string | undefined
  /** Why there are none */
  readonly reason?: string | undefined
}

/** The transaction that first sent the message */
export interface IcmSourceTransaction {
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Time of its block, in Unix seconds */
  readonly timestamp: number
  /** Gas that the transaction used, in units of gas, as decimal text */
  readonly gasSpent: string
}

/** Something that happened to a message, as a followed chain logged it */
export interface IcmStoryEvent {
  /** `sent`: a messenger sent it, with this fee; `warp`: another contract sent it as a Warp message; `resent`: it was sent again; `feeAdded`: the fee was raised to this amount; `received`: the destination received it; `executed`: the recipient executed it; `failed`: the recipient failed to execute it; `receipt`: the source got the receipt, so that the relayer may redeem the fee; `redeemed`: the relayer redeemed this fee, in an amount together with all others since it last did */
  readonly type: 'sent' | 'warp' | 'resent' | 'feeAdded' | 'received' | 'executed' | 'failed' | 'receipt' | 'redeemed'
  /** EVM chain id of the chain, as decimal text */
  readonly evmChainId: string
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Time of the block, in Unix seconds */
  readonly timestamp: number
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Index of the log in the block, as decimal text */
  readonly logIndex: string
  /** Gas that the transaction used, in units of gas, as decimal text */
  readonly gasSpent: string
  /** Account that delivered the message, or address that may redeem the fee, in hexadecimal with the ERC-55 checksum */
  readonly relayer?: string | undefined
  /** Of `received`: address that may redeem the fee, in hexadecimal with the ERC-55 checksum */
  readonly rewardRedeemer?: string | undefined
  /** Token of the fee; absent if there is none, in hexadecimal with the ERC-55 checksum */
  readonly feeToken?: string | undefined
  /** Amount of the fee; absent if there is none, in the smallest unit, as decimal text */
  readonly feeAmount?: string | undefined
}

/** What the webhook observes */
export interface IcmUndeliveredMetadata {
  /** Minutes after which a message that was sent counts as undelivered */
  readonly minutes: number
  /** Senders to which the events are limited */
  readonly senders?: readonly string[] | undefined
  /** Destinations to which the events are limited */
  readonly destinationBlockchainIds?: readonly string[] | undefined
}

/** A webhook for messages that were not delivered in time */
export interface IcmUndeliveredRequest {
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
  /** EVM chain id or blockchain id of the chain that sends the messages */
  readonly chainId: string
  /** Kind of the events */
  readonly eventType: 'icm_undelivered'
  readonly metadata: IcmUndeliveredMetadata
}

/** A webhook for messages to other chains that were not delivered in time */
export interface IcmUndeliveredResponse {
  /** Id of the webhook */
  readonly id: string
  /** URL to which messages are sent; empty if they are read as a stream */
  readonly url: string
  /** The chain, as the creator of the webhook named it */
  readonly chainId: string
  /** Whether messages are sent */
  readonly status: 'active' | 'inactive'
  /** Why the service deactivated the webhook */
  readonly inactiveReason?: string | undefined
  /** Time of creation, in Unix seconds */
  readonly createdAt: number
  /** Name; may be empty */
  readonly name: string
  /** Description; may be empty */
  readonly description: string
  /** Key of the signatures: the `text` of the secret, or the 32 bytes of which it is the hexadecimal form (`hex`) */
  readonly secretEncoding: 'text' | 'hex'
  /** Kind of the events */
  readonly eventType: 'icm_undelivered'
  readonly metadata: IcmUndeliveredMetadata
}

/** An image */
export interface ImageAsset {
  /** Id of the image */
  readonly assetId?: string | undefined
  /** URL of the image */
  readonly imageUri?: string | undefined
}

/** Says that an answer lacks what depends on the C-chain, because the service does not follow it */
export interface Incomplete {
  /** Why the answer is incomplete */
  readonly reason: 'C_CHAIN_NOT_FOLLOWED'
  /** What is missing, and how to complete it */
  readonly message: string
}

/** The blocks of a chain whose messages are stored */
export interface IncompleteMessages {
  /** First block whose messages are stored; absent if none are, as decimal text */
  readonly fromBlock?: string | undefined
  /** Last block whose messages are stored; absent if none are, as decimal text */
  readonly toBlock?: string | undefined
}

/** Says which amounts are not known and count as 0 */
export interface IncompleteSupply {
  /** Why the answer is incomplete */
  readonly reason: 'C_CHAIN_EVM_NOT_INDEXED'
  /** What is missing, and how to complete it */
  readonly message: string
}

/** Internal Server Error */
export interface InternalServerError {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: 'Internal Server Error'
  /** HTTP status */
  readonly statusCode: 500
  /** C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain */
  readonly reason?: string | undefined
  /** Cursor of the oldest kept change, if the requested changes were removed */
  readonly oldestCursor?: string | undefined
  /** Result of each validator, for the signature aggregator */
  readonly report?: unknown | undefined
}

/** An internal call with its block and transaction */
export interface InternalTransaction {
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Time of the block, in Unix seconds */
  readonly blockTimestamp: number
  /** Time of the block, in Unix milliseconds; absent if the header has none */
  readonly blockTimestampMilliseconds?: number | undefined
  /** Hash of the block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Caller */
  readonly from: RichAddress
  /** Callee, or the created contract */
  readonly to: RichAddress
  /** Kind of call */
  readonly internalTxType: 'UNKNOWN' | 'CREATE3' | 'CALL' | 'CREATE' | 'CREATE2' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL'
  /** Transferred amount, in wei, as decimal text */
  readonly value: string
  /** Whether the call was reverted */
  readonly isReverted: boolean
  /** Gas used, in units of gas, as decimal text */
  readonly gasUsed: string
  /** Gas limit, in units of gas, as decimal text */
  readonly gasLimit: string
}

/** An internal call within its transaction */
export interface InternalTransactionDetails {
  /** Caller */
  readonly from: RichAddress
  /** Callee, or the created contract */
  readonly to: RichAddress
  /** Kind of call */
  readonly internalTxType: 'UNKNOWN' | 'CREATE3' | 'CALL' | 'CREATE' | 'CREATE2' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL'
  /** Transferred amount, in wei, as decimal text */
  readonly value: string
  /** Whether the call was reverted */
  readonly isReverted: boolean
  /** Gas used, in units of gas, as decimal text */
  readonly gasUsed: string
  /** Gas limit, in units of gas, as decimal text */
  readonly gasLimit: string
}

/** An L1 validator */
export interface L1ValidatorDetailsFull {
  /** Id of the validation, in CB58 */
  readonly validationId: string
  /** Id of the validation, 0x and 64 hexadecimal digits */
  readonly validationIdHex: string
  /** Node of the validator, as NodeID-… */
  readonly nodeId: string
  /** Subnet of the L1, in CB58 */
  readonly subnetId: string
  /** Weight of the validator; 0 after its removal */
  readonly weight: number
  /** Remaining balance for fees, in nAVAX; 0 if inactive */
  readonly remainingBalance: number
  /** Time at which the validator was registered, in Unix seconds */
  readonly creationTimestamp: number
  /** BLS public key of the validator */
  readonly blsCredentials: BlsCredentials
  /** Owner who receives the remaining balance */
  readonly remainingBalanceOwner: BalanceOwner
  /** Owner who may disable the validator */
  readonly deactivationOwner: BalanceOwner
}

/** State of an L1 validator after a transaction */
export interface L1ValidatorDetailsTransaction {
  /** Id of the validation, in CB58 */
  readonly validationId: string
  /** Id of the validation, 0x and 64 hexadecimal digits */
  readonly validationIdHex: string
  /** Node of the validator, as NodeID-… */
  readonly nodeId: string
  /** Subnet of the L1, in CB58 */
  readonly subnetId: string
  /** Weight after the transaction */
  readonly weight: number
  /** Balance for fees after the transaction, in nAVAX */
  readonly remainingBalance: number
  /** Change of the balance by the transaction, in nAVAX */
  readonly balanceChange?: number | undefined
  /** BLS public key of the validator */
  readonly blsCredentials?: BlsCredentials | undefined
}

/** The chain and the contract that manage the validators of an L1 */
export interface L1ValidatorManagerDetails {
  /** Id of the blockchain that contains the contract, in CB58 */
  readonly blockchainId: string
  /** Address of the contract in hexadecimal, with the ERC-55 checksum if it has 20 bytes */
  readonly contractAddress: string
}

/** The last time at which outputs of addresses were created or consumed */
export interface LastActivityTimestamp {
  /** Time of the last activity, in Unix seconds */
  readonly timestamp: number
  /** Block of the last activity, as decimal text */
  readonly blockNumber: string
  /** Transaction of the last activity, in CB58 */
  readonly txHash: string
  /** Output that was created or consumed, in CB58 */
  readonly utxoId: string
  /** Whether the output was consumed rather than created */
  readonly isConsumed: boolean
  /** Chain and network of the outputs */
  readonly chainInfo: PrimaryNetworkChainInfo
  readonly incomplete?: Incomplete | undefined
}

/** The chains on which an address was active */
export interface ListAddressChainsResponse {
  /** Served chains on which the address was active */
  readonly indexedChains: readonly ChainInfo[]
  /** Always empty */
  readonly unindexedChains: readonly string[]
}

/** Balances of addresses on a chain */
export interface ListBalancesResponse {
  readonly balances: Balances
  /** Chain and network of the balances */
  readonly chainInfo: PrimaryNetworkChainInfo
  readonly incomplete?: Incomplete | undefined
}

/** A page of a list */
export interface ListBlockTransactionsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Transactions of the page */
  readonly transactions: readonly NativeTransaction[]
}

/** A page of a list */
export interface ListBlockchainsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Blockchains of the page */
  readonly blockchains: readonly Blockchain[]
}

/** The served EVM chains */
export interface ListChainsResponse {
  /** Chains */
  readonly chains: readonly ChainInfo[]
}

/** A page of a list */
export interface ListCollectibleBalancesResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Tokens of the page */
  readonly collectibleBalances: readonly CollectibleBalance[]
}

/** A page of a list */
export interface ListContractsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block up to which internal calls are complete; absent if none are missing (no node has returned the traces of the next block in time yet; contracts that others created in that block are not listed), as decimal text */
  readonly completeToBlock?: string | undefined
  /** Contracts of the page */
  readonly contracts: readonly Contract[]
}

/** A page of a list */
export interface ListDelegatorDetailsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Delegations of the page */
  readonly delegators: readonly DelegatorDetails[]
}

/** A page of a list */
export interface ListErc1155BalancesResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Balance in the native token; absent while no node of the chain responds */
  readonly nativeTokenBalance?: NativeTokenBalance | undefined
  /** Balances of the page */
  readonly erc1155TokenBalances: readonly Erc1155TokenBalance[]
}

/** A page of a list */
export interface ListErc1155TransactionsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block from which on token transfers are kept; absent if all are kept, as decimal text */
  readonly completeFromBlock?: string | undefined
  /** Transfers of the page */
  readonly transactions: readonly Erc1155Transfer[]
}

/** A page of a list */
export interface ListErc20BalancesResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Balance in the native token; absent while no node of the chain responds */
  readonly nativeTokenBalance?: NativeTokenBalance | undefined
  /** Balances of the page */
  readonly erc20TokenBalances: readonly Erc20TokenBalance[]
}

/** A page of a list */
export interface ListErc20TransactionsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block from which on token transfers are kept; absent if all are kept, as decimal text */
  readonly completeFromBlock?: string | undefined
  /** Transfers of the page */
  readonly transactions: readonly Erc20Transfer[]
}

/** A page of a list */
export interface ListErc721BalancesResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Balance in the native token; absent while no node of the chain responds */
  readonly nativeTokenBalance?: NativeTokenBalance | undefined
  /** Balances of the page */
  readonly erc721TokenBalances: readonly Erc721TokenBalance[]
}

/** A page of a list */
export interface ListErc721TransactionsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block from which on token transfers are kept; absent if all are kept, as decimal text */
  readonly completeFromBlock?: string | undefined
  /** Transfers of the page */
  readonly transactions: readonly Erc721Transfer[]
}

/** A page of a list */
export interface ListEventsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Signature of the event */
  readonly signature: string
  /** First block whose events are decoded, as decimal text */
  readonly completeFromBlock: string
  /** Last block whose events are decoded; absent if there is none yet, as decimal text */
  readonly completeToBlock?: string | undefined
  /** Events of the page */
  readonly events: readonly DecodedEvent[]
}

/** A page of a list */
export interface ListEvmBlocksOfAllChainsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Blocks from which on blocks are kept, by EVM chain id; absent if every chain keeps all */
  readonly completeFromBlocks?: Readonly<Record<string, string>> | undefined
  /** Blocks of the page */
  readonly blocks: readonly EvmBlock[]
}

/** A page of a list */
export interface ListEvmBlocksResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block from which on blocks are listed; absent if all are kept, as decimal text */
  readonly completeFromBlock?: string | undefined
  /** Blocks of the page */
  readonly blocks: readonly EvmBlock[]
}

/** A page of a list */
export interface ListHistoricalRewardsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Rewards of the page */
  readonly historicalRewards: readonly HistoricalReward[]
}

/** A page of holders of a token */
export interface ListHoldersResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Holders of the page, highest balance first */
  readonly addresses: readonly Holder[]
  /** Class of the contract, absent if its balances were not checked; unless it is `wellBehaved`, the sums of transfers in `sortKey` may differ from the balances */
  readonly tokenClass?: 'wellBehaved' | 'wrappedNative' | 'feeOnTransfer' | 'rebasing' | 'nonStandard' | 'lying' | undefined
}

/** A page of a list */
export interface ListIcmMessagesResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Chains of which not all messages are stored, by EVM chain id, with the blocks whose messages are; absent if there are none */
  readonly incompleteBlocks?: Readonly<Record<string, IncompleteMessages>> | undefined
  /** Messages of the page */
  readonly messages: readonly IcmMessage[]
}

/** A page of a list */
export interface ListInternalTransactionsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block from which on internal calls are kept; absent if all are kept, as decimal text */
  readonly completeFromBlock?: string | undefined
  /** Block up to which internal calls are complete; absent if none are missing (no node has returned the traces of the next block in time yet; later calls may be listed), as decimal text */
  readonly completeToBlock?: string | undefined
  /** Internal calls of the page */
  readonly transactions: readonly InternalTransaction[]
}

/** A page of a list */
export interface ListL1ValidatorsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** L1 validators of the page */
  readonly validators: readonly L1ValidatorDetailsFull[]
  /** P-chain height at which the balances are valid, as decimal text */
  readonly blockHeight: string
}

/** A page of a list */
export interface ListLogsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block from which on all logs that match the filter are stored; logs of earlier blocks are not listed, as decimal text */
  readonly completeFromBlock: string
  /** Logs of the page */
  readonly logs: readonly EventLog[]
}

/** A page of a list */
export interface ListNativeTransactionsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block from which on transactions are kept; absent if all are kept, as decimal text */
  readonly completeFromBlock?: string | undefined
  /** Transactions of the page */
  readonly transactions: readonly NativeTransaction[]
}

/** A page of a list */
export interface ListNftCollectionHoldersResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Holders of the page, most tokens first by the logs of the contract */
  readonly holders: readonly NftHolder[]
  /** Block after which the balances are valid, as decimal text */
  readonly blockNumber: string
  /** Class of the contract, absent if its balances were not checked; unless it is `wellBehaved`, holders without transfers may be missing */
  readonly tokenClass?: 'wellBehaved' | 'wrappedNative' | 'feeOnTransfer' | 'rebasing' | 'nonStandard' | 'lying' | undefined
}

/** A page of a list */
export interface ListNftHoldersResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Holders of the page, most tokens first by the logs of the contract */
  readonly holders: readonly NftHolder[]
  /** Block after which the balances are valid, as decimal text */
  readonly blockNumber: string
  /** Class of the contract, absent if its balances were not checked; unless it is `wellBehaved`, holders without transfers may be missing */
  readonly tokenClass?: 'wellBehaved' | 'wrappedNative' | 'feeOnTransfer' | 'rebasing' | 'nonStandard' | 'lying' | undefined
}

/** A page of a list */
export interface ListNftTokensResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Tokens of the page */
  readonly tokens: readonly ErcToken[]
}

/** A page of a list */
export interface ListNftTransfersResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block from which on token transfers are kept; absent if all are kept, as decimal text */
  readonly completeFromBlock?: string | undefined
  /** Transfers of the page */
  readonly transfers: readonly NftTransfer[]
}

/** A page of a list */
export interface ListPChainTransactionsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Transactions of the page */
  readonly transactions: readonly PChainTransaction[]
  /** Chain and network of the transactions */
  readonly chainInfo: PrimaryNetworkChainInfo
}

/** A page of a list */
export interface ListPendingRewardsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Rewards of the page */
  readonly pendingRewards: readonly PendingReward[]
}

/** A page of a list */
export interface ListPrimaryNetworkBlocksResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Blocks of the page */
  readonly blocks: readonly PrimaryNetworkBlock[]
  /** Chain and network of the blocks */
  readonly chainInfo: PrimaryNetworkChainInfo
}

/** A page of a list */
export interface ListPrimaryNetworkTransactionsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Transactions of the page */
  readonly transactions: readonly PrimaryNetworkTransaction[]
  /** Chain and network of the transactions */
  readonly chainInfo: PrimaryNetworkChainInfo
  readonly incomplete?: Incomplete | undefined
}

/** A page of a list */
export interface ListProposedBlocksResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Blocks of the page */
  readonly blocks: readonly PrimaryNetworkBlock[]
  /** Chain and network of the blocks */
  readonly chainInfo: PrimaryNetworkChainInfo
  /** First block from which on the proposers are known; absent if they are known of all blocks, as decimal text */
  readonly completeFromBlock?: string | undefined
}

/** A page of a list */
export interface ListSubnetsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Subnets of the page */
  readonly subnets: readonly Subnet[]
}

/** A page of a list */
export interface ListTeleporterMessagesResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Chains of which not all messages are stored, by EVM chain id, with the blocks whose messages are; absent if there are none */
  readonly incompleteBlocks?: Readonly<Record<string, IncompleteMessages>> | undefined
  /** Messages of the page */
  readonly messages: readonly TeleporterMessage[]
}

/** A page of a list */
export interface ListTransactionDetailsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block from which on transactions are kept; absent if all are kept, as decimal text */
  readonly completeFromBlock?: string | undefined
  /** Block from which on internal calls are kept; absent if all are kept (earlier transactions in which the address only took part by them are not listed), as decimal text */
  readonly tracesFromBlock?: string | undefined
  /** Block up to which internal calls are complete; absent if none are missing (no node has returned the traces of the next block in time yet; transactions of that block in which the address only took part by them are not listed), as decimal text */
  readonly tracesToBlock?: string | undefined
  /** Block from which on token transfers are kept; absent if all are kept (earlier transactions in which the address only took part by them are not listed), as decimal text */
  readonly transfersFromBlock?: string | undefined
  /** Transactions of the page */
  readonly transactions: readonly TransactionDetails[]
}

/** A page of a list */
export interface ListTransactionsOfAllChainsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Blocks from which on transactions are kept, by EVM chain id; absent if every chain keeps all */
  readonly completeFromBlocks?: Readonly<Record<string, string>> | undefined
  /** Transactions of the page */
  readonly transactions: readonly NativeTransaction[]
}

/** A page of a list */
export interface ListTransfersResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Block from which on token transfers are kept; absent if all are kept, as decimal text */
  readonly completeFromBlock?: string | undefined
  /** Transfers of the page */
  readonly transfers: readonly ErcTransfer[]
}

/** A page of a list */
export interface ListUtxosResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Outputs of the page */
  readonly utxos: readonly AnyUtxo[]
  /** Chain and network of the outputs */
  readonly chainInfo: PrimaryNetworkChainInfo
  readonly incomplete?: Incomplete | undefined
}

/** A page of a list */
export interface ListValidatorDetailsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Validations of the page */
  readonly validators: readonly ValidatorDetails[]
}

/** A page of addresses */
export interface ListWebhookAddressesResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Addresses of the page, in ascending order */
  readonly addresses: readonly string[]
  /** Number of all addresses */
  readonly totalAddresses: number
}

/** A page of messages */
export interface ListWebhookDeliveriesResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Messages of the page */
  readonly deliveries: readonly WebhookDelivery[]
}

/** A page of webhooks */
export interface ListWebhooksResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Webhooks of the page */
  readonly webhooks: readonly Webhook[]
}

/** A page of a list */
export interface ListXChainTransactionsResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Transactions of the page */
  readonly transactions: readonly XChainTransaction[]
  /** Chain and network of the transactions */
  readonly chainInfo: PrimaryNetworkChainInfo
  readonly incomplete?: Incomplete | undefined
}

/** A page of a list */
export interface ListXChainVerticesResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Vertices of the page */
  readonly vertices: readonly XChainVertex[]
  /** Chain and network of the vertices */
  readonly chainInfo: PrimaryNetworkChainInfo
}

/** A request to the Data API */
export interface LogsFormat {
  /** Organization of the keys; a service has only one */
  readonly orgId: string
  /** Id of the request, as in `x-request-id` of its response */
  readonly logId: string
  /** Time at which the request ended, in Unix seconds */
  readonly eventTimestamp: number
  /** Id of the API key */
  readonly apiKeyId: string
  /** Name of the API key */
  readonly apiKeyAlias: string
  /** Region of the service; always empty */
  readonly hostRegion: string
  /** Type of the request; always `data`, because gateways take no API keys */
  readonly requestType: 'data' | 'rpc'
  /** Path of the request, without the query */
  readonly requestPath: string
  /** Compute units of the request */
  readonly apiCreditsConsumed: number
  /** Duration in milliseconds */
  readonly requestDurationMsecs: number
  /** Response code */
  readonly responseCode: number
  /** Chain in the path; absent if the path has none */
  readonly chainId?: string | undefined
  readonly metadata: LogsFormatMetadata
}

/** The client; all members are empty if the service does not store them */
export interface LogsFormatMetadata {
  /** Address of the client */
  readonly ipAddress: string
  /** Host to which the client sent the request */
  readonly host: string
  /** Program of the client */
  readonly userAgent: string
}

/** A page of requests to the Data API */
export interface LogsResponseDTO {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Organization of the keys; a service has only one */
  readonly orgId: string
  /** Requests of the page, newest first */
  readonly logs: readonly LogsFormat[]
}

/** The method that a transaction calls */
export interface Method {
  /** Kind of transaction */
  readonly callType: 'NATIVE_TRANSFER' | 'CONTRACT_CALL' | 'CONTRACT_CREATION'
  /** First four bytes of the call data; empty if the transaction is not a contract call */
  readonly methodHash: string
  /** Signature of the method, if it is known */
  readonly methodName?: string | undefined
}

/** Request counts of one interval */
export interface Metric {
  /** Start of the interval, in Unix seconds */
  readonly timestamp: number
  /** Counts, one for each group */
  readonly values: readonly UsageMetricsValueDTO[]
}

/** A page of a metric */
export interface MetricsApiResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Start of the first hour that is kept, of points per hour; absent if all are kept, in Unix seconds */
  readonly completeFromTimestamp?: number | undefined
  /** Intervals of the page, newest first */
  readonly results: readonly MetricsValue[]
}

/** The chains with metrics */
export interface MetricsListChainsResponse {
  /** Chains */
  readonly chains: readonly EvmChain[]
}

/** Value of a metric for one interval */
export interface MetricsValue {
  /** Start of the interval, in Unix seconds */
  readonly timestamp: number
  /** Value of the metric */
  readonly value: number
}

/** An amount of money */
export interface Money {
  /** Currency, as ISO 4217 code in lower case */
  readonly currencyCode: 'usd' | 'eur' | 'aud' | 'cad' | 'chf' | 'clp' | 'cny' | 'czk' | 'dkk' | 'gbp' | 'hkd' | 'huf' | 'jpy' | 'nzd'
  /** Amount, as decimal text; a number for official clients */
  readonly value: string
}

/** Balance of an address in the native token of a chain. Lists of token balances leave it out while no node of the chain responds. */
export interface NativeTokenBalance {
  /** Name of the token */
  readonly name: string
  /** Symbol of the token */
  readonly symbol: string
  /** Number of decimals */
  readonly decimals: number
  /** EVM chain id, as decimal text */
  readonly chainId: string
  /** Balance, in wei, as decimal text */
  readonly balance: string
  /** URL of a logo */
  readonly logoUri?: string | undefined
  /** Price of one token */
  readonly price?: Money | undefined
  /** What the balance is worth, if the price is known */
  readonly balanceValue?: Money | undefined
}

/** A transaction of an EVM chain */
export interface NativeTransaction {
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Time of the block, in Unix seconds */
  readonly blockTimestamp: number
  /** Time of the block, in Unix milliseconds; absent if the header has none */
  readonly blockTimestampMilliseconds?: number | undefined
  /** Hash of the block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Minimum delay to the next block, as the excess in the header of the block */
  readonly blockMinDelayExcess?: number | undefined
  /** EVM chain id, as decimal text */
  readonly chainId: string
  /** Index of the transaction in its block */
  readonly blockIndex: number
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** `1` for success, `0` for failure */
  readonly txStatus: string
  /** EIP-2718 type of the transaction */
  readonly txType: number
  /** Gas limit, in units of gas, as decimal text */
  readonly gasLimit: string
  /** Gas used, in units of gas, as decimal text */
  readonly gasUsed: string
  /** Price paid for each unit of gas, in wei, as decimal text */
  readonly gasPrice: string
  /** Nonce of the sender, as decimal text */
  readonly nonce: string
  /** Sender */
  readonly from: RichAddress
  /** Recipient; the zero address for the creation of a contract */
  readonly to: RichAddress
  /** Method that the transaction calls */
  readonly method?: Method | undefined
  /** Transferred amount, in wei, as decimal text */
  readonly value: string
  /** executed: the block is accepted and executed; settled: a later block contains the results of its execution. Blocks are returned once they are executed. Absent if the headers of the chain declare no settled height (no asynchronous execution). */
  readonly finality?: 'executed' | 'settled' | undefined
}

/** The token in which the fees of a chain are paid */
export interface NetworkToken {
  /** Name of the token */
  readonly name: string
  /** Symbol of the token */
  readonly symbol: string
  /** Number of decimals */
  readonly decimals: number
  /** URL of a logo */
  readonly logoUri?: string | undefined
  /** Description of the token */
  readonly description?: string | undefined
}

/** The native token of the chain */
export interface NetworkTokenDetails {
  readonly networkToken: NetworkToken
  /** Current price of the token */
  readonly currentPrice?: Money | undefined
  /** Price at the time of the transaction, if it is more than a day old */
  readonly historicalPrice?: Money | undefined
}

/** A holder of NFTs */
export interface NftHolder {
  /** Address of the holder, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Number of tokens, as decimal text */
  readonly balance: string
  /** `logs`: sum of the logs of the contract; `chain`: answer of the contract, which is asked if its logs do not add up to its balances */
  readonly basis: 'logs' | 'chain'
}

/** A page of holders of a collection */
export interface NftHoldersResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Holders of the page, most tokens first */
  readonly addresses: readonly AddressDetails[]
  /** Name of the contract */
  readonly nftCollectionName?: readonly string[] | undefined
  /** Symbol of the contract */
  readonly nftSymbol?: readonly string[] | undefined
  /** Number of holders after the newest block */
  readonly totalHolders: number
  /** Number of tokens that they hold together */
  readonly totalTokens: number
}

/** A transfer of an ERC-721 or ERC-1155 token */
export type NftTransfer = Erc1155Transfer | Erc721Transfer

/** Not Found */
export interface NotFound {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: 'Not Found'
  /** HTTP status */
  readonly statusCode: 404
  /** C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain */
  readonly reason?: string | undefined
  /** Cursor of the oldest kept change, if the requested changes were removed */
  readonly oldestCursor?: string | undefined
  /** Result of each validator, for the signature aggregator */
  readonly report?: unknown | undefined
}

/** State of an export */
export interface OperationStatusResponse {
  /** Id of the operation */
  readonly operationId: string
  /** Kind of export */
  readonly operationType: 'TRANSACTION_EXPORT_EVM' | 'TRANSACTION_EXPORT_PRIMARY_NETWORK' | 'TRANSACTION_EXPORT_PRIMARY_NETWORK_STAKING' | 'TRANSACTION_EXPORT_PRIMARY_NETWORK_SIMPLE'
  /** State */
  readonly operationStatus: 'RUNNING' | 'COMPLETED' | 'COMPLETED_WITH_WARNING' | 'FAILED'
  /** Why it failed, or the warning */
  readonly message?: string | undefined
  readonly metadata: TransactionExportMetadata
  /** Start of the operation, in Unix seconds */
  readonly createdAtTimestamp: number
  /** End of the operation; its start while it runs, in Unix seconds */
  readonly updatedAtTimestamp: number
}

/** Addresses that receive the rewards of a validation */
export interface PChainAddressDetails {
  /** Addresses, in bech32 without a chain prefix */
  readonly addresses: readonly string[]
  /** Start of the validation in Unix seconds, as decimal text */
  readonly sortKey: string
}

/** Balances of addresses on the P-chain. Unlocked, locked and pending stakes are listed separately. */
export interface PChainBalance {
  /** Amounts that can be spent, one for each asset */
  readonly unlockedUnstaked: readonly AggregatedAssetAmount[]
  /** Staked amounts without a lock, one for each asset */
  readonly unlockedStaked: readonly AggregatedAssetAmount[]
  /** Amounts that are locked until a time and cannot be staked, one for each asset */
  readonly lockedPlatform: readonly AggregatedAssetAmount[]
  /** Amounts that are locked until a time but can be staked, one for each asset */
  readonly lockedStakeable: readonly AggregatedAssetAmount[]
  /** Staked amounts that are locked after the end of the stake, one for each asset */
  readonly lockedStaked: readonly AggregatedAssetAmount[]
  /** Amounts staked for a validation that has not started yet, one for each asset */
  readonly pendingStaked: readonly AggregatedAssetAmount[]
  /** Amounts in shared memory that can be imported, one for each asset and exporting chain */
  readonly atomicMemoryUnlocked: readonly PChainSharedAsset[]
  /** Amounts in shared memory that are locked, one for each asset and exporting chain */
  readonly atomicMemoryLocked: readonly PChainSharedAsset[]
}

/** A page of a list */
export interface PChainLookingGlassResponse {
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
  /** Validations of the page, the last started first */
  readonly addresses: readonly PChainAddressDetails[]
}

/** Total amount of an asset that can be imported to the P-chain */
export interface PChainSharedAsset {
  /** Id of the asset, in CB58 */
  readonly assetId: string
  /** Name of the asset */
  readonly name: string
  /** Symbol of the asset */
  readonly symbol: string
  /** Number of decimals in which amounts are shown */
  readonly denomination: number
  /** Kind of output that holds the asset */
  readonly type: 'secp256k1' | 'nft'
  /** Total amount, in the smallest unit, as decimal text */
  readonly amount: string
  /** Number of outputs that hold the amount */
  readonly utxoCount: number
  /** Blockchain id of the chain that exported the amount, in CB58 */
  readonly sharedWithChainId: string
  /** The amount is exported to this chain but not imported yet */
  readonly status: 'importable'
}

/** A P-chain transaction. Members that a type of transaction does not have are absent. */
export interface PChainTransaction {
  /** Id of the transaction, in CB58 */
  readonly txHash: string
  /** Type of the transaction; `UNKNOWN` for versions of the official client that reject the type */
  readonly txType: 'AddValidatorTx' | 'AddSubnetValidatorTx' | 'AddDelegatorTx' | 'CreateChainTx' | 'CreateSubnetTx' | 'ImportTx' | 'ExportTx' | 'AdvanceTimeTx' | 'RewardValidatorTx' | 'RemoveSubnetValidatorTx' | 'TransformSubnetTx' | 'AddPermissionlessValidatorTx' | 'AddPermissionlessDelegatorTx' | 'TransferSubnetOwnershipTx' | 'BaseTx' | 'ConvertSubnetToL1Tx' | 'RegisterL1ValidatorTx' | 'SetL1ValidatorWeightTx' | 'IncreaseL1ValidatorBalanceTx' | 'DisableL1ValidatorTx' | 'AddAutoRenewedValidatorTx' | 'SetAutoRenewedValidatorConfigTx' | 'RewardAutoRenewedValidatorTx' | 'UNKNOWN'
  /** Time of the block that contains the transaction, in Unix seconds */
  readonly blockTimestamp: number
  /** Number of the block that contains the transaction, as decimal text */
  readonly blockNumber: string
  /** Id of the block that contains the transaction, in CB58 */
  readonly blockHash: string
  /** Memo of the transaction, in hexadecimal with 0x */
  readonly memo?: string | undefined
  /** Id of the transaction that ended the stake, in CB58 */
  readonly rewardTxHash?: string | undefined
  /** Addresses that receive the reward, in bech32 without a chain prefix */
  readonly rewardAddresses?: readonly string[] | undefined
  /** Expected reward, in nAVAX, as decimal text */
  readonly estimatedReward?: string | undefined
  /** Start of the stake, in Unix seconds */
  readonly startTimestamp?: number | undefined
  /** End of the stake, in Unix seconds */
  readonly endTimestamp?: number | undefined
  /** Commission of the validator, in percent, as decimal text */
  readonly delegationFeePercent?: string | undefined
  /** Node that the transaction names, as NodeID-… */
  readonly nodeId?: string | undefined
  /** Subnet that the transaction names, in CB58 */
  readonly subnetId?: string | undefined
  /** Chain and contract that manage the validators of the L1 */
  readonly l1ValidatorManagerDetails?: L1ValidatorManagerDetails | undefined
  /** L1 validators that the transaction changed */
  readonly l1ValidatorDetails?: readonly L1ValidatorDetailsTransaction[] | undefined
  /** Outputs that the transaction consumed */
  readonly consumedUtxos: readonly PChainUtxo[]
  /** Outputs that the transaction created */
  readonly emittedUtxos: readonly PChainUtxo[]
  /** Blockchain id of the chain from which an import comes, in CB58 */
  readonly sourceChain?: string | undefined
  /** Blockchain id of the chain to which an export goes, in CB58 */
  readonly destinationChain?: string | undefined
  /** Amounts of the outputs that the transaction created, one for each asset */
  readonly value: readonly AssetAmount[]
  /** Amounts that the transaction burned as fees, one for each asset */
  readonly amountBurned: readonly AssetAmount[]
  /** Amounts that the transaction staked, one for each asset */
  readonly amountStaked: readonly AssetAmount[]
  /** Amounts that the transaction paid to balances of L1 validators */
  readonly amountL1ValidatorBalanceBurned: readonly AssetAmount[]
  /** Owner of the subnet that the transaction sets */
  readonly subnetOwnershipInfo?: SubnetOwnershipInfo | undefined
  /** BLS public key of the validator */
  readonly blsCredentials?: BlsCredentials | undefined
  /** Id of the transaction that added the staker, in CB58 */
  readonly stakingTxHash?: string | undefined
  readonly blockchainInfo?: BlockchainInfo | undefined
}

/** An output of the P-chain, or an output exported to or from the P-chain */
export interface PChainUtxo {
  /** Owners of the output, in bech32 without a chain prefix */
  readonly addresses: readonly string[]
  /** Asset and amount of the output */
  readonly asset: AssetAmount
  /** Amount, in the smallest unit, as decimal text */
  readonly amount: string
  /** Id of the asset, in CB58 */
  readonly assetId: string
  /** Block of the transaction that created the output; of a reward, the block of the transaction that paid it, as decimal text */
  readonly blockNumber: string
  /** Time of this block, in Unix seconds */
  readonly blockTimestamp: number
  /** Blockchain id of the chain on which the output can be consumed, in CB58 */
  readonly consumedOnChainId: string
  /** Blockchain id of the chain on which the output was created, in CB58 */
  readonly createdOnChainId: string
  /** Block of the transaction that consumed the output, as decimal text */
  readonly consumingBlockNumber?: string | undefined
  /** Time of the block that consumed the output, in Unix seconds */
  readonly consumingBlockTimestamp?: number | undefined
  /** Id of the transaction that consumed the output, in CB58 */
  readonly consumingTxHash?: string | undefined
  /** Index of the output in its transaction */
  readonly outputIndex: number
  /** Time before which the output cannot be consumed; 0 for none, in Unix seconds */
  readonly platformLocktime?: number | undefined
  /** Kind of reward that the output pays */
  readonly rewardType?: 'VALIDATOR' | 'DELEGATOR' | 'VALIDATOR_FEE' | undefined
  /** Time before which the output can only be staked, in Unix seconds */
  readonly stakeableLocktime?: number | undefined
  /** Whether the output is staked */
  readonly staked?: boolean | undefined
  /** Number of signatures that consuming the output requires */
  readonly threshold?: number | undefined
  /** Id of the transaction that created the output, in CB58 */
  readonly txHash: string
  /** What is not known about the output; absent if all is known */
  readonly unknown?: UnknownMembers | undefined
  /** Encoded output with a checksum of four bytes, in hexadecimal with 0x */
  readonly utxoBytes?: string | undefined
  /** End of the stake, in Unix seconds */
  readonly utxoEndTimestamp?: number | undefined
  /** Id of the output, in CB58 */
  readonly utxoId: string
  /** Start of the stake, in Unix seconds */
  readonly utxoStartTimestamp?: number | undefined
  /** Whether the output is a stake or can be transferred */
  readonly utxoType: 'TRANSFER' | 'STAKE'
}

/** Payload Too Large */
export interface PayloadTooLarge {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: 'Payload Too Large'
  /** HTTP status */
  readonly statusCode: 413
  /** C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain */
  readonly reason?: string | undefined
  /** Cursor of the oldest kept change, if the requested changes were removed */
  readonly oldestCursor?: string | undefined
  /** Result of each validator, for the signature aggregator */
  readonly report?: unknown | undefined
}

/** A delegation that has not started */
export interface PendingDelegatorDetails {
  /** Id of the transaction that added the delegator, in CB58 */
  readonly txHash: string
  /** Validator to which the stake is delegated, as NodeID-… */
  readonly nodeId: string
  /** Addresses that receive the reward, in bech32 without a chain prefix */
  readonly rewardAddresses: readonly string[]
  /** Delegated stake, in nAVAX, as decimal text */
  readonly amountDelegated: string
  /** Commission of the validator, in percent, as decimal text */
  readonly delegationFee: string
  /** Start of the delegation, in Unix seconds */
  readonly startTimestamp: number
  /** End of the delegation, in Unix seconds */
  readonly endTimestamp: number
  /** Expected reward before the commission, in nAVAX, as decimal text */
  readonly estimatedGrossReward: string
  /** Expected reward after the commission, in nAVAX, as decimal text */
  readonly estimatedNetReward: string
  /** Status of the delegation */
  readonly delegationStatus: 'pending'
}

/** A message of which no delivery is known */
export interface PendingIcmMessage {
  /** Id of the message, 64 hexadecimal digits */
  readonly messageId: string
  /** Blockchain id of the source, in CB58 */
  readonly sourceBlockchainId: string
  /** Blockchain id of the destination, in CB58 */
  readonly destinationBlockchainId: string
  /** EVM chain id of the source; `unknown` if it is not known */
  readonly sourceEvmChainId: string
  /** EVM chain id of the destination; `unknown` if it is not known */
  readonly destinationEvmChainId: string
  /** Number of the message, counted by the messenger that sent it */
  readonly messageNonce: string
  /** Account or contract that sent the message, in hexadecimal with the ERC-55 checksum */
  readonly from: string
  /** Contract that executes the message, in hexadecimal with the ERC-55 checksum */
  readonly to: string
  /** Messenger contract, the same on both chains, in hexadecimal with the ERC-55 checksum */
  readonly icmContractAddress: string
  /** Payload for the recipient; `0x` if the message only carries receipts, in hexadecimal with 0x */
  readonly data: string
  /** Whether the recipient has executed the message */
  readonly messageExecuted: boolean
  /** Receipts that the message carries */
  readonly receipts: readonly IcmReceipt[]
  /** Whether the source has got the receipt of this message */
  readonly receiptDelivered: boolean
  readonly rewardDetails: IcmRewardDetails
  readonly sourceTransaction: IcmSourceTransaction
  /** No delivery is known: it is pending, or the destination is not followed */
  readonly status: 'pending'
}

/** A reward that is paid when the staker leaves, if it is granted */
export interface PendingReward {
  /** Addresses that receive the reward, in bech32 without a chain prefix */
  readonly addresses: readonly string[]
  /** Id of the transaction that added the staker, in CB58 */
  readonly txHash: string
  /** Stake, in nAVAX, as decimal text */
  readonly amountStaked: string
  /** Validator, or the validator to which the stake is delegated, as NodeID-… */
  readonly nodeId: string
  /** Start of the stake, in Unix seconds */
  readonly startTimestamp: number
  /** End of the stake, in Unix seconds */
  readonly endTimestamp: number
  /** Kind of reward */
  readonly rewardType: 'VALIDATOR' | 'DELEGATOR' | 'VALIDATOR_FEE'
  /** Elapsed part of the staking period at the height of the answer, in percent */
  readonly progress: number
  /** Expected amount */
  readonly estimatedReward: AssetAmount
}

/** A message of which no delivery is known */
export interface PendingTeleporterMessage {
  /** Id of the message, 64 hexadecimal digits */
  readonly messageId: string
  /** Blockchain id of the source, in CB58 */
  readonly sourceBlockchainId: string
  /** Blockchain id of the destination, in CB58 */
  readonly destinationBlockchainId: string
  /** EVM chain id of the source; `unknown` if it is not known */
  readonly sourceEvmChainId: string
  /** EVM chain id of the destination; `unknown` if it is not known */
  readonly destinationEvmChainId: string
  /** Number of the message, counted by the messenger that sent it */
  readonly messageNonce: string
  /** Account or contract that sent the message, in hexadecimal with the ERC-55 checksum */
  readonly from: string
  /** Contract that executes the message, in hexadecimal with the ERC-55 checksum */
  readonly to: string
  /** Messenger contract, the same on both chains, in hexadecimal with the ERC-55 checksum */
  readonly teleporterContractAddress: string
  /** Messenger contract, the same on both chains, in hexadecimal with the ERC-55 checksum */
  readonly icmContractAddress: string
  /** Payload for the recipient; `0x` if the message only carries receipts, in hexadecimal with 0x */
  readonly data: string
  /** Whether the recipient has executed the message */
  readonly messageExecuted: boolean
  /** Receipts that the message carries */
  readonly receipts: readonly TeleporterReceipt[]
  /** Whether the source has got the receipt of this message */
  readonly receiptDelivered: boolean
  readonly rewardDetails: TeleporterRewardDetails
  readonly sourceTransaction: TeleporterSourceTransaction
  /** No delivery is known: it is pending, or the destination is not followed */
  readonly status: 'pending'
}

/** A validator that has not started */
export interface PendingValidatorDetails {
  /** Id of the transaction that added the validator, in CB58 */
  readonly txHash: string
  /** Node of the validator, as NodeID-… */
  readonly nodeId: string
  /** Subnet that is validated, in CB58 */
  readonly subnetId: string
  /** Stake in nAVAX, as decimal text; on permissioned subnets the weight */
  readonly amountStaked: string
  /** Commission on the rewards of delegators, in percent, as decimal text */
  readonly delegationFee?: string | undefined
  /** Start of the validation, in Unix seconds */
  readonly startTimestamp: number
  /** End of the validation, in Unix seconds */
  readonly endTimestamp: number
  /** BLS public key of the validator */
  readonly blsCredentials?: BlsCredentials | undefined
  /** Status of the validation */
  readonly validationStatus: 'pending'
}

/** Ids of the token at providers of prices */
export interface PricingProviders {
  /** Id at CoinGecko */
  readonly coingeckoCoinId?: string | undefined
}

/** What the webhook observes */
export interface PrimaryNetworkAddressActivityMetadata {
  /** Kind of the keys */
  readonly keyType: 'addresses'
  /** Observed addresses */
  readonly keys: readonly string[]
  readonly subEvents: PrimaryNetworkAddressActivitySubEvents
  readonly balanceThresholdFilter?: PrimaryNetworkBalanceThresholdFilter | undefined
}

/** A webhook for addresses of the Primary Network */
export interface PrimaryNetworkAddressActivityRequest {
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
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Name or id of a chain */
  readonly chainId: string
  /** Kind of the events */
  readonly eventType: 'primary_network_address_activity'
  readonly metadata: PrimaryNetworkAddressActivityMetadata
}

/** A webhook for addresses of the Primary Network */
export interface PrimaryNetworkAddressActivityResponse {
  /** Id of the webhook */
  readonly id: string
  /** URL to which messages are sent; empty if they are read as a stream */
  readonly url: string
  /** The chain, as the creator of the webhook named it */
  readonly chainId: string
  /** Whether messages are sent */
  readonly status: 'active' | 'inactive'
  /** Why the service deactivated the webhook */
  readonly inactiveReason?: string | undefined
  /** Time of creation, in Unix seconds */
  readonly createdAt: number
  /** Name; may be empty */
  readonly name: string
  /** Description; may be empty */
  readonly description: string
  /** Key of the signatures: the `text` of the secret, or the 32 bytes of which it is the hexadecimal form (`hex`) */
  readonly secretEncoding: 'text' | 'hex'
  /** Kind of the events */
  readonly eventType: 'primary_network_address_activity'
  readonly metadata: PrimaryNetworkAddressActivityMetadata
}

/** Kinds of events */
export interface PrimaryNetworkAddressActivitySubEvents {
  /** Kinds of events to send */
  readonly addressActivitySubEvents: readonly ('balance_change' | 'balance_threshold' | 'reward_distribution')[]
}

/** A balance and the amount that it must cross */
export interface PrimaryNetworkBalanceThresholdFilter {
  /** Kind of balance */
  readonly balanceType: 'unlockedUnstaked' | 'unlockedStaked' | 'lockedPlatform' | 'lockedStakeable' | 'lockedStaked' | 'pendingStaked' | 'unlocked' | 'locked' | 'atomicMemoryUnlocked' | 'atomicMemoryLocked'
  /** Amount, in nAVAX, as decimal text */
  readonly balanceThreshold: string
}

/** A block of the P-, X- or C-chain. C-chain blocks list only their atomic transactions. */
export interface PrimaryNetworkBlock {
  /** Number of the block, as decimal text */
  readonly blockNumber: string
  /** Id of the block without the consensus wrapper, in CB58; on the C-chain the EVM block hash, in hexadecimal */
  readonly blockHash: string
  /** Id of the parent, in the same form as `blockHash` */
  readonly parentHash: string
  /** Time of the block, in Unix seconds */
  readonly blockTimestamp: number
  /** Type of the block */
  readonly blockType: string
  /** Number of transactions */
  readonly txCount: number
  /** Ids of the transactions, in block order */
  readonly transactions: readonly string[]
  /** Size of the block without the consensus wrapper, in bytes */
  readonly blockSizeBytes: number
  /** Fees that each active L1 validator has been charged since the Etna upgrade, in nAVAX */
  readonly l1ValidatorsAccruedFees?: number | undefined
  /** Number of active L1 validators */
  readonly activeL1Validators?: number | undefined
  /** Supply of AVAX after the block, in nAVAX, as decimal text */
  readonly currentSupply?: string | undefined
  readonly proposerDetails?: ProposerDetails | undefined
}

/** Chain and network of an answer */
export interface PrimaryNetworkChainInfo {
  /** Name of the chain */
  readonly chainName: 'p-chain' | 'x-chain' | 'c-chain'
  /** `mainnet`, `fuji`, or the name of the custom network */
  readonly network: string
}

/** A transaction of the P- or X-chain, or an atomic transaction of the C-chain */
export type PrimaryNetworkTransaction = PChainTransaction | XChainTransaction | CChainAtomicTransaction

/** Proposer of a block, from its consensus wrapper */
export interface ProposerDetails {
  /** Id of the block including its consensus wrapper, in CB58 */
  readonly proposerId: string
  /** Id of the parent including its consensus wrapper, in CB58 */
  readonly proposerParentId?: string | undefined
  /** Node that proposed the block, as NodeID-… */
  readonly proposerNodeId?: string | undefined
  /** P-chain height at which the proposers were selected */
  readonly proposerPChainHeight?: number | undefined
  /** Time at which the block was proposed, in Unix seconds */
  readonly proposerTimestamp?: number | undefined
}

/** A validator that was removed from a permissioned subnet */
export interface RemovedValidatorDetails {
  /** Id of the transaction that added the validator, in CB58 */
  readonly txHash: string
  /** Node of the validator, as NodeID-… */
  readonly nodeId: string
  /** Subnet that is validated, in CB58 */
  readonly subnetId: string
  /** Stake in nAVAX, as decimal text; on permissioned subnets the weight */
  readonly amountStaked: string
  /** Commission on the rewards of delegators, in percent, as decimal text */
  readonly delegationFee?: string | undefined
  /** Start of the validation, in Unix seconds */
  readonly startTimestamp: number
  /** End of the validation, in Unix seconds */
  readonly endTimestamp: number
  /** BLS public key of the validator */
  readonly blsCredentials?: BlsCredentials | undefined
  /** Id of the transaction that removed the validator, in CB58 */
  readonly removeTxHash: string
  /** Time of the removal, in Unix seconds */
  readonly removeTimestamp: number
  /** Status of the validation */
  readonly validationStatus: 'removed'
}

/** The messages to send again */
export interface ReplayWebhookRequest {
  /** Lowest block of the events; by default any, as decimal text */
  readonly fromBlock?: string | undefined
  /** Earliest time at which the messages were queued; by default any, in Unix seconds */
  readonly fromTimestamp?: number | undefined
  /** Whether only dead messages are sent again */
  readonly deadOnly?: boolean | undefined
}

/** The messages that are sent again */
export interface ReplayWebhookResponse {
  /** Number of messages */
  readonly queued: number
}

/** A link to a page */
export interface ResourceLink {
  /** Kind of page */
  readonly type: 'Blog' | 'CoinGecko' | 'CoinMarketCap' | 'Discord' | 'Documentation' | 'Facebook' | 'Github' | 'Instagram' | 'LinkedIn' | 'Medium' | 'Reddit' | 'Support' | 'Telegram' | 'TikTok' | 'Twitter' | 'Website' | 'Whitepaper' | 'Youtube'
  /** URL of the page */
  readonly url: string
}

/** Rewards of a validator */
export interface Rewards {
  /** Reward for the own stake, in nAVAX, as decimal text */
  readonly validationRewardAmount: string
  /** Commission on the rewards of delegators, which is paid together with the own reward, in nAVAX, as decimal text */
  readonly delegationRewardAmount: string
  /** Addresses that receive the reward, in bech32 without a chain prefix */
  readonly rewardAddresses?: readonly string[] | undefined
  /** Id of the transaction that paid the reward, in CB58 */
  readonly rewardTxHash?: string | undefined
}

/** An address. If it is the address of a contract, it has the name, symbol and decimals of the contract. */
export interface RichAddress {
  /** Address, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name that the contract returns, or that it has in its verified source */
  readonly name?: string | undefined
  /** Symbol of the contract */
  readonly symbol?: string | undefined
  /** Number of decimals in which amounts are shown */
  readonly decimals?: number | undefined
  /** URL of a logo */
  readonly logoUri?: string | undefined
}

/** A metric over time windows */
export interface RollingWindowMetricsApiResponse {
  readonly result: ChainRollingWindowMetricsValue
}

/** Request counts of one interval */
export interface RpcMetrics {
  /** Start of the interval, in Unix seconds */
  readonly timestamp: number
  /** Counts, one for each group */
  readonly values: readonly RpcUsageMetricsValueAggregated[]
}

/** Method, response code, or name of a bypass token; absent for requests without a token */
export type RpcUsageMetricsGroup = string | number

/** Request counts of an interval, in total or for one group */
export interface RpcUsageMetricsValueAggregated {
  /** Number of requests */
  readonly totalRequests: number
  /** Credits of the requests */
  readonly apiCreditsUsed: number
  /** Requests divided by the seconds of the whole interval */
  readonly requestsPerSecond: number
  /** Share of requests with a response code below 400, in percent */
  readonly successRatePercent: number
  /** Median response time, in milliseconds */
  readonly medianResponseTimeMsecs: number
  /** Number of requests with a 4xx response code */
  readonly invalidRequests: number
  /** Credits of requests with a 4xx response code */
  readonly apiCreditsWasted: number
  /** What the group has in common */
  readonly groupedBy: 'rpcMethod' | 'responseCode' | 'rlBypassToken' | 'None'
  readonly groupValue?: RpcUsageMetricsGroup | undefined
}

/** Service Unavailable */
export interface ServiceUnavailable {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: 'Service Unavailable'
  /** HTTP status */
  readonly statusCode: 503
  /** C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain */
  readonly reason?: string | undefined
  /** Cursor of the oldest kept change, if the requested changes were removed */
  readonly oldestCursor?: string | undefined
  /** Result of each validator, for the signature aggregator */
  readonly report?: unknown | undefined
}

/** Total amount of an asset in shared memory, from which it can be imported */
export interface SharedAssetBalance {
  /** Id of the asset, in CB58 */
  readonly assetId: string
  /** Name of the asset */
  readonly name: string
  /** Symbol of the asset */
  readonly symbol: string
  /** Number of decimals in which amounts are shown */
  readonly denomination: number
  /** Kind of output that holds the asset */
  readonly type: 'secp256k1' | 'nft'
  /** Total amount, in the smallest unit, as decimal text */
  readonly amount: string
  /** Number of outputs that hold the amount */
  readonly utxoCount: number
  /** Blockchain id of the chain that exported the amount, in CB58 */
  readonly sharedWithChainId: string
}

/** The secret with which messages are signed */
export interface SharedSecretsResponse {
  /** Secret of all webhooks of the API key. The header `x-signature` of a message is the HMAC-SHA256 of its body, in base64. The key is this text, or the bytes of which it is the hexadecimal form, by `secretEncoding` of the webhook. */
  readonly secret: string
}

/** A signed Warp message */
export interface SignatureAggregationResponse {
  /** Signed message in hexadecimal, without 0x */
  readonly signedMessage: string
}

/** A request for signatures of a Warp message */
export interface SignatureAggregatorRequest {
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

/** Stake of the validators with one version of the node */
export interface StakingDistribution {
  /** Version of the node */
  readonly version: string
  /** Own stake of the validators, in nAVAX, as decimal text */
  readonly amountStaked: string
  /** Number of validators */
  readonly validatorCount: number
}

/** A subnet. `ownerAddresses`, `threshold` and `locktime` belong to the owner at creation, and `subnetOwnershipInfo` to the current owner. */
export interface Subnet {
  /** Time of the block that created the subnet, in Unix seconds */
  readonly createBlockTimestamp: number
  /** P-chain block that created the subnet, as decimal text */
  readonly createBlockIndex: string
  /** Id of the subnet, in CB58 */
  readonly subnetId: string
  /** Addresses of the first owner, in bech32 without a chain prefix */
  readonly ownerAddresses: readonly string[]
  /** Number of addresses of the first owner that had to sign */
  readonly threshold: number
  /** Time before which the first owner could not act; 0 for none, in Unix seconds */
  readonly locktime: number
  /** Current owner */
  readonly subnetOwnershipInfo: SubnetOwnershipInfo
  /** Whether the subnet was converted to an L1 */
  readonly isL1: boolean
  /** Id of the transaction that converted the subnet, in CB58 */
  readonly l1ConversionTransactionHash?: string | undefined
  /** Chain and contract that manage the validators of the L1 */
  readonly l1ValidatorManagerDetails?: L1ValidatorManagerDetails | undefined
  /** Blockchains of the subnet, without their geneses */
  readonly blockchains: readonly Blockchain[]
  /** Name that the operator of the service gives the subnet */
  readonly name?: string | undefined
  /** Description */
  readonly description?: string | undefined
  /** URL of the official site */
  readonly officialSite?: string | undefined
  /** E-mail address */
  readonly email?: string | undefined
  /** Logo */
  readonly logoAsset?: ImageAsset | undefined
  /** Banner */
  readonly bannerAsset?: ImageAsset | undefined
  /** Colour, as in CSS */
  readonly color?: string | undefined
  /** Links */
  readonly resourceLinks?: readonly ResourceLink[] | undefined
  /** Tags */
  readonly tags?: readonly string[] | undefined
}

/** The owner of a subnet */
export interface SubnetOwnershipInfo {
  /** Time before which the owner cannot act; 0 for none, in Unix seconds */
  readonly locktime: number
  /** Number of addresses that must sign */
  readonly threshold: number
  /** Addresses of the owner, in bech32 without a chain prefix */
  readonly addresses: readonly string[]
}

/** Request counts by time interval */
export interface SubnetRpcUsageMetricsResponse {
  /** Interval: hourly, daily, weekly or monthly */
  readonly aggregateDuration: string
  /** Requested chain, or `all` */
  readonly chainId: string
  /** Counts, one element for each interval with requests */
  readonly metrics: readonly RpcMetrics[]
}

/** A term of the calculation, or the sum of earlier lines */
export interface SupplyLine {
  /** Name of the amount */
  readonly name: string
  /** The amount, in AVAX, as decimal text */
  readonly amount: string
  /** Names of the lines that are added and subtracted, or where the amount comes from */
  readonly formula: string
}

/** A number of messages */
export interface TeleporterChainMetricsApiResponse {
  readonly result: TeleporterMetricsValue
}

/** The transaction that delivered the message */
export interface TeleporterDestinationTransaction {
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Time of its block, in Unix seconds */
  readonly timestamp: number
  /** Gas that the transaction used, in units of gas, as decimal text */
  readonly gasSpent: string
  /** Address that may redeem the fee on the source, in hexadecimal with the ERC-55 checksum */
  readonly rewardRedeemer: string
  /** Account that delivered the message, in hexadecimal with the ERC-55 checksum */
  readonly delivererAddress: string
}

/** A message. `status` is its state. */
export type TeleporterMessage = DeliveredTeleporterMessage | PendingTeleporterMessage | DeliveredSourceNotIndexedTeleporterMessage

/** The message that a transaction sent or received */
export interface TeleporterMessageInfo {
  /** Id of the message, 64 hexadecimal digits */
  readonly teleporterMessageId: string
  /** Whether the transaction sent the message or received it */
  readonly direction: 'SOURCE_TRANSACTION' | 'DESTINATION_TRANSACTION'
  /** EVM chain id, as decimal text */
  readonly sourceChainId?: string | undefined
  /** EVM chain id, as decimal text */
  readonly destinationChainId?: string | undefined
}

/** A number of messages */
export interface TeleporterMetricsValue {
  /** Number of messages in all blocks */
  readonly value: number
}

/** Confirms the delivery of an earlier message in the opposite direction */
export interface TeleporterReceipt {
  /** Nonce of the message that was delivered */
  readonly receivedMessageNonce: string
  /** Address that may redeem its fee, in hexadecimal with the ERC-55 checksum */
  readonly relayerRewardAddress: string
}

/** The fee of a message */
export interface TeleporterRewardDetails {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name of the token; empty if the contract has no name */
  readonly name: string
  /** Symbol of the token; empty if the contract has no symbol */
  readonly symbol: string
  /** Number of decimals in which amounts are shown */
  readonly decimals: number
  /** URL of a logo */
  readonly logoUri?: string | undefined
  /** Price of one token, in US dollars if the endpoint has no `currency` */
  readonly price?: Money | undefined
  /** Token standard */
  readonly ercType: 'ERC-20'
  /** Amount of the fee; 0 if there is none, or if the source is not followed, in the smallest unit, as decimal text */
  readonly value: string
}

/** The transaction that first sent the message */
export interface TeleporterSourceTransaction {
  /** Hash of the transaction, 0x and 64 hexadecimal digits */
  readonly txHash: string
  /** Time of its block, in Unix seconds */
  readonly timestamp: number
  /** Gas that the transaction used, in units of gas, as decimal text */
  readonly gasSpent: string
}

/** The result of a test message */
export interface TestOfWebhookResponse {
  /** Id of the message */
  readonly messageId: string
  /** Whether the target accepted the message */
  readonly isAccepted: boolean
  /** HTTP status; absent if there was no response */
  readonly status?: number | undefined
  /** Why the message was not accepted */
  readonly failure?: string | undefined
  /** Time that it took, in milliseconds */
  readonly milliseconds: number
}

/** Reputation of the token in the metadata of the operator; null if it is unknown */
export type TokenReputation = 'Malicious' | 'Benign' | null

/** Too Many Requests */
export interface TooManyRequests {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: 'Too Many Requests'
  /** HTTP status */
  readonly statusCode: 429
  /** C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain */
  readonly reason?: string | undefined
  /** Cursor of the oldest kept change, if the requested changes were removed */
  readonly oldestCursor?: string | undefined
  /** Result of each validator, for the signature aggregator */
  readonly report?: unknown | undefined
}

/** A transaction with its token transfers and internal calls */
export interface TransactionDetails {
  readonly nativeTransaction: NativeTransaction
  /** Token transfers; absent if the transfers of the block are no longer kept */
  readonly erc20Transfers?: readonly Erc20TransferDetails[] | undefined
  /** Token transfers; absent if the transfers of the block are no longer kept */
  readonly erc721Transfers?: readonly Erc721TransferDetails[] | undefined
  /** Token transfers; absent if the transfers of the block are no longer kept */
  readonly erc1155Transfers?: readonly Erc1155TransferDetails[] | undefined
  /** Internal calls; absent if the node of the chain does not trace transactions, if no node has returned the traces of the block in time yet, or if the calls of the block are no longer kept */
  readonly internalTransactions?: readonly InternalTransactionDetails[] | undefined
}

/** Result of the export */
export interface TransactionExportMetadata {
  /** Kind of failure or warning */
  readonly code?: 'ErrInvalidRequest' | 'ErrInternal' | 'WarnTruncatedExport' | undefined
  /** URL of the file. Whoever knows it may read the file */
  readonly downloadUrl?: string | undefined
  /** First day that is left out, because there are too many rows */
  readonly nextDate?: string | undefined
  /** Number of rows so far */
  readonly rows: number
  /** Size of the file so far */
  readonly bytes: number
}

/** Chains and addresses */
export interface TransactionExportOptions {
  /** Addresses; without any, all transactions are exported */
  readonly addresses?: readonly string[] | undefined
  /** EVM addresses of atomic transactions of the C-chain */
  readonly cChainEvmAddresses?: readonly string[] | undefined
  /** Chains to export */
  readonly includeChains: readonly string[]
}

/** Transactions to export */
export interface TransactionExportRequest {
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

/** A log within its transaction */
export interface TransactionLog {
  /** Index of the log in its block */
  readonly logIndex: number
  /** Contract that emitted the log, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** At most four hashes or words of 32 bytes */
  readonly topics: readonly string[]
  /** Data of the log, in hexadecimal with 0x */
  readonly data: string
  /** The decoded event; present with `decode=true` */
  readonly decoded?: Decoded | undefined
}

/** A vertex that contains a transaction */
export interface TransactionVertexDetail {
  /** Id of the vertex, in CB58 */
  readonly hash: string
  /** Height of the vertex */
  readonly height: number
  /** Time of the vertex, in Unix seconds */
  readonly timestamp: number
}

/** Unauthorized */
export interface Unauthorized {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: 'Unauthorized'
  /** HTTP status */
  readonly statusCode: 401
  /** C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain */
  readonly reason?: string | undefined
  /** Cursor of the oldest kept change, if the requested changes were removed */
  readonly oldestCursor?: string | undefined
  /** Result of each validator, for the signature aggregator */
  readonly report?: unknown | undefined
}

/** A contract without a known token standard */
export interface UnknownContract {
  /** Address of the contract, in hexadecimal with the ERC-55 checksum */
  readonly address: string
  /** Name that the contract returns, or that it has in its verified source */
  readonly name?: string | undefined
  /** Symbol that the contract returns */
  readonly symbol?: string | undefined
  /** Description */
  readonly description?: string | undefined
  /** URL of the official site */
  readonly officialSite?: string | undefined
  /** E-mail address */
  readonly email?: string | undefined
  /** Logo */
  readonly logoAsset?: ImageAsset | undefined
  /** Banner */
  readonly bannerAsset?: ImageAsset | undefined
  /** Colour, as in CSS */
  readonly color?: string | undefined
  /** Links */
  readonly resourceLinks?: readonly ResourceLink[] | undefined
  /** Tags */
  readonly tags?: readonly string[] | undefined
  readonly pricingProviders?: PricingProviders | undefined
  readonly deploymentDetails?: ContractDeploymentDetails | undefined
  /** Reasons for which the token may be spam; empty if nothing says so. They are hints and not a security analysis. */
  readonly spamReasons: readonly ('REPORTED' | 'NATIVE_NAME' | 'LOOKALIKE_NAME' | 'HIDDEN_CHARACTERS' | 'URL_IN_NAME' | 'UNREQUESTED_AIRDROP')[]
  readonly proxy?: ContractProxy | undefined
  /** Token standard of the contract */
  readonly ercType: 'UNKNOWN'
}

/** Members of an output that are missing, or stand in for values that are not known without the C-chain */
export interface UnknownMembers {
  /** Why the members are not known */
  readonly reason: 'C_CHAIN_NOT_FOLLOWED'
  /** Members that are missing or not the real value; `addresses` has only those who signed */
  readonly members: readonly string[]
}

/** What to change of a webhook */
export interface UpdateWebhookRequest {
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

/** Path pattern, response code, chain, id of the key, or type; absent for requests without a chain */
export type UsageMetricsGroup = string | number

/** Counts of requests to the Data API by time interval */
export interface UsageMetricsResponseDTO {
  /** Interval: minute, hourly, daily, weekly or monthly */
  readonly aggregateDuration: string
  /** Organization of the keys; a service has only one */
  readonly orgId: string
  /** Counts, one element for each interval with requests */
  readonly metrics: readonly Metric[]
}

/** Counts of requests to the Data API in an interval, in total or for one group */
export interface UsageMetricsValueDTO {
  /** Number of requests */
  readonly totalRequests: number
  /** Credits of the requests */
  readonly apiCreditsUsed: number
  /** Requests divided by the seconds of the whole interval */
  readonly requestsPerSecond: number
  /** Share of requests with a response code below 400, in percent */
  readonly successRatePercent: number
  /** Median response time, in milliseconds */
  readonly medianResponseTimeMsecs: number
  /** Number of requests with a 4xx response code */
  readonly invalidRequests: number
  /** Credits of requests with a 4xx response code */
  readonly apiCreditsWasted: number
  /** What the group has in common */
  readonly groupedBy: 'requestPath' | 'responseCode' | 'chainId' | 'apiKeyId' | 'requestType' | 'None'
  readonly groupValue?: UsageMetricsGroup | undefined
}

/** Contracts that clients use */
export interface UtilityAddresses {
  /** Multicall contract, in hexadecimal with the ERC-55 checksum */
  readonly multicall?: string | undefined
}

/** An output of the X- or C-chain. Some values appear twice: under the names in X-chain answers and under those in P-chain answers, such as `creationTxHash` and `txHash`. */
export interface Utxo {
  /** Owners of the output, in bech32 without a chain prefix */
  readonly addresses: readonly string[]
  /** Asset and amount of the output */
  readonly asset: AssetAmount
  /** Amount, in the smallest unit, as decimal text */
  readonly amount: string
  /** Id of the asset, in CB58 */
  readonly assetId: string
  /** Block of the transaction that created the output, as decimal text */
  readonly blockNumber: string
  /** Time of this block, in Unix seconds */
  readonly blockTimestamp: number
  /** Blockchain id of the chain on which the output can be consumed, in CB58 */
  readonly consumedOnChainId: string
  /** Block that consumed the output, as decimal text */
  readonly consumingBlockNumber?: string | undefined
  /** Time of the block that consumed the output, in Unix seconds */
  readonly consumingBlockTimestamp?: number | undefined
  /** Id of the transaction that consumed the output, in CB58 */
  readonly consumingTxHash?: string | undefined
  /** Time of the transaction that consumed the output, in Unix seconds */
  readonly consumingTxTimestamp?: number | undefined
  /** Blockchain id of the chain on which the output was created, in CB58 */
  readonly createdOnChainId: string
  /** Id of the transaction that created the output, in CB58 */
  readonly creationTxHash: string
  /** Signatures with which the output was consumed */
  readonly credentials?: readonly UtxoCredential[] | undefined
  /** Group of an NFT */
  readonly groupId?: number | undefined
  /** Time before which the output cannot be consumed; 0 for none, in Unix seconds */
  readonly locktime: number
  /** Index of the output in its transaction, as decimal text; a number in P-chain outputs */
  readonly outputIndex: string
  /** Payload of an NFT, in hexadecimal with 0x */
  readonly payload?: string | undefined
  /** Number of signatures that consuming the output requires */
  readonly threshold: number
  /** Time at which the output was created, in Unix seconds */
  readonly timestamp: number
  /** Id of the transaction that created the output, in CB58 */
  readonly txHash: string
  /** What is not known about the output; absent if all is known */
  readonly unknown?: UnknownMembers | undefined
  /** Encoded output with a checksum of four bytes, in hexadecimal with 0x */
  readonly utxoBytes?: string | undefined
  /** Id of the output, in CB58 */
  readonly utxoId: string
  /** Kind of output: `transfer` or `mint` */
  readonly utxoType: string
}

/** A signature and its public key */
export interface UtxoCredential {
  /** Signature with recovery byte, in base64 without padding */
  readonly signature?: string | undefined
  /** Compressed public key, in base64 without padding */
  readonly publicKey?: string | undefined
}

/** What the webhook observes */
export interface ValidatorActivityMetadata {
  /** Kind of the key */
  readonly keyType: 'nodeId' | 'subnetId'
  /** One node id or subnet id */
  readonly keys: readonly string[]
  readonly subEvents: ValidatorActivitySubEvents
  /** Nodes to which the events are limited */
  readonly nodeIds?: readonly string[] | undefined
  /** Subnets to which the events are limited */
  readonly subnetIds?: readonly string[] | undefined
  /** Balance of an L1 validator below which an event is sent, in nAVAX, as decimal text */
  readonly l1ValidatorFeeBalanceThreshold?: string | undefined
}

/** A webhook for validators */
export interface ValidatorActivityRequest {
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
  /** Name of the network, such as `mainnet` or `fuji` */
  readonly network: string
  /** Kind of the events */
  readonly eventType: 'validator_activity'
  readonly metadata: ValidatorActivityMetadata
}

/** A webhook for validators */
export interface ValidatorActivityResponse {
  /** Id of the webhook */
  readonly id: string
  /** URL to which messages are sent; empty if they are read as a stream */
  readonly url: string
  /** The chain, as the creator of the webhook named it */
  readonly chainId: string
  /** Whether messages are sent */
  readonly status: 'active' | 'inactive'
  /** Why the service deactivated the webhook */
  readonly inactiveReason?: string | undefined
  /** Time of creation, in Unix seconds */
  readonly createdAt: number
  /** Name; may be empty */
  readonly name: string
  /** Description; may be empty */
  readonly description: string
  /** Key of the signatures: the `text` of the secret, or the 32 bytes of which it is the hexadecimal form (`hex`) */
  readonly secretEncoding: 'text' | 'hex'
  /** Kind of the events */
  readonly eventType: 'validator_activity'
  readonly metadata: ValidatorActivityMetadata
}

/** Kinds of events */
export interface ValidatorActivitySubEvents {
  /** Kinds of events to send */
  readonly validatorActivitySubEvents: readonly ('validator_stake' | 'delegator_stake' | 'reward_distribution' | 'l1_validator_balance_increased' | 'l1_validator_disabled' | 'l1_validator_removed' | 'l1_validator_balance_threshold')[]
}

/** A pending, current or past validator of the Primary Network or of a subnet that is not an L1, distinguished by `validationStatus` */
export type ValidatorDetails = ActiveValidatorDetails | PendingValidatorDetails | CompletedValidatorDetails | RemovedValidatorDetails

/** Observations of a validator by the node of this service */
export interface ValidatorHealthDetails {
  /** 100 if the node is connected to the validator, otherwise 0; −1 if unknown */
  readonly reachabilityPercent: number
  /** 100 if the node benched the validator on the P-chain, otherwise 0; −1 if unknown */
  readonly benchedPChainRequestsPercent: number
  /** 100 if the node benched the validator on the X-chain, otherwise 0; −1 if unknown */
  readonly benchedXChainRequestsPercent: number
  /** 100 if the node benched the validator on the C-chain, otherwise 0; −1 if unknown */
  readonly benchedCChainRequestsPercent: number
}

/** Validators of the Primary Network */
export interface ValidatorsDetails {
  /** Number of current validators */
  readonly validatorCount: number
  /** Own stake of the validators, in nAVAX, as decimal text */
  readonly totalAmountStaked: string
  /** Expected rewards of all current stakers, in nAVAX, as decimal text */
  readonly estimatedAnnualStakingReward: string
  /** Stake by version, for validators connected to the node of this service; empty if no node is configured */
  readonly stakingDistributionByVersion: readonly StakingDistribution[]
  /** Total stake divided by the total supply, as decimal text */
  readonly stakingRatio: string
}

/** A webhook */
export type Webhook = EVMAddressActivityResponse | PrimaryNetworkAddressActivityResponse | ValidatorActivityResponse | IcmUndeliveredResponse

/** A message of a webhook, and what became of it */
export interface WebhookDelivery {
  /** Id of the message */
  readonly messageId: string
  /** `queued`: not accepted by the target yet; `delivered`; `dead`: the service has given up */
  readonly state: 'queued' | 'delivered' | 'dead'
  /** Whether the message tells that a reorg removed an event */
  readonly removed: boolean
  /** Block of the event, as decimal text */
  readonly blockNumber: string
  /** Hash of the block, 0x and 64 hexadecimal digits */
  readonly blockHash: string
  /** Number of attempts */
  readonly attempts: number
  /** Time at which the message was queued, in Unix milliseconds */
  readonly queuedAt: number
  /** Time of the last attempt, in Unix milliseconds */
  readonly attemptedAt?: number | undefined
  /** HTTP status of the last attempt */
  readonly status?: number | undefined
  /** Why the last attempt failed */
  readonly failure?: string | undefined
}

/** An X-chain asset as its creating transaction defines it */
export interface XChainAssetDetails {
  /** Id of the asset, in CB58 */
  readonly assetId: string
  /** Name of the asset */
  readonly name: string
  /** Symbol of the asset */
  readonly symbol: string
  /** Number of decimals in which amounts are shown */
  readonly denomination: number
  /** Kind of output that holds the asset */
  readonly type: 'secp256k1' | 'nft'
  /** Time at which the asset was created, in Unix seconds */
  readonly createdAtTimestamp: number
  /** Whether the supply is fixed, or can grow by minting (`variable`) */
  readonly cap: 'fixed' | 'variable'
}

/** Balances of addresses on the X-chain */
export interface XChainBalances {
  /** Amounts that are locked until a time, one for each asset */
  readonly locked: readonly AggregatedAssetAmount[]
  /** Amounts that can be spent, one for each asset */
  readonly unlocked: readonly AggregatedAssetAmount[]
  /** Amounts in shared memory that can be imported, one for each asset and exporting chain */
  readonly atomicMemoryUnlocked: readonly SharedAssetBalance[]
  /** Amounts in shared memory that are locked, one for each asset and exporting chain */
  readonly atomicMemoryLocked: readonly SharedAssetBalance[]
}

/** An X-chain transaction. A transaction from before the linearization of the chain has vertices instead of a block. */
export interface XChainTransaction {
  /** Id of the transaction, in CB58 */
  readonly txHash: string
  /** Whether the transaction is in a block (`linear`) or in vertices */
  readonly chainFormat: 'linear' | 'non-linear'
  /** Time at which the transaction was accepted, in Unix seconds */
  readonly timestamp: number
  /** Type of the transaction */
  readonly txType: 'BaseTx' | 'CreateAssetTx' | 'OperationTx' | 'ImportTx' | 'ExportTx' | 'UNKNOWN'
  /** Memo of the transaction, in hexadecimal with 0x */
  readonly memo: string
  /** Number of the block; absent for vertices */
  readonly blockHeight?: number | undefined
  /** Id of the block; absent for vertices, in CB58 */
  readonly blockHash?: string | undefined
  /** Vertices that contain the transaction; absent for blocks */
  readonly vertices?: readonly TransactionVertexDetail[] | undefined
  /** Outputs that the transaction consumed */
  readonly consumedUtxos: readonly Utxo[]
  /** Outputs that the transaction created */
  readonly emittedUtxos: readonly Utxo[]
  /** Amounts that the transaction consumed, one for each asset */
  readonly amountUnlocked: readonly AssetAmount[]
  /** Amounts that the transaction created, one for each asset */
  readonly amountCreated: readonly AssetAmount[]
  /** Time of the block that contains the transaction, in Unix seconds */
  readonly blockTimestamp: number
  /** Number of the block that contains the transaction, as decimal text */
  readonly blockNumber: string
  /** Amounts of the outputs that the transaction created, one for each asset */
  readonly value: readonly AssetAmount[]
  /** Amounts that the transaction burned as fees, one for each asset */
  readonly amountBurned: readonly AssetAmount[]
  /** Amounts that the transaction staked, one for each asset */
  readonly amountStaked: readonly AssetAmount[]
  /** Amounts that the transaction paid to balances of L1 validators */
  readonly amountL1ValidatorBalanceBurned: readonly AssetAmount[]
  /** Blockchain id of the chain from which an import comes, in CB58 */
  readonly sourceChain?: string | undefined
  /** Blockchain id of the chain to which an export goes, in CB58 */
  readonly destinationChain?: string | undefined
  /** Asset that a CreateAssetTx created */
  readonly assetCreated?: XChainAssetDetails | undefined
}

/** A vertex of the X-chain from before its first block */
export interface XChainVertex {
  /** Id of the vertex, in CB58 */
  readonly vertexHash: string
  /** Ids of the parents */
  readonly parentHashes: readonly string[]
  /** Height that the vertex declares; other vertices can have the same */
  readonly vertexHeight: number
  /** Index of the vertex in the order in which the vertices were applied */
  readonly vertexIndex: number
  /** Time at which a node accepted the vertex, or the time of the linearization of the X-chain if it is not known, in Unix seconds */
  readonly vertexTimestamp: number
  /** Number of transactions */
  readonly txCount: number
  /** Ids of the transactions */
  readonly transactions: readonly string[]
  /** Size of the vertex, in bytes */
  readonly vertexSizeBytes: number
}

