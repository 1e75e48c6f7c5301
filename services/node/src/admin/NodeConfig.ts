import { join } from 'node:path'
import { Id, type Json, NodeId } from '@firn/codec'
import { type Networks, Upgrades } from '@firn/genesis'
import { NodeVersion } from '@firn/node-api'
import type { Configuration } from '../Configuration.ts'

/** Input of {@link toJSON}. */
export interface ConfigFacts {
  readonly configuration: Configuration
  readonly constants: Networks.Constants
  /** Id of the AVAX asset (32 bytes). */
  readonly avaxAssetId: Uint8Array
  /** NodeID of 20 bytes. */
  readonly nodeId: Uint8Array
  /** Address that peers see, such as `127.0.0.1:9651`. */
  readonly ip: string
  /** Type and location of the ledger's database, without secrets. */
  readonly database: { readonly name: string; readonly path: string }
  /** Configured aliases of chains and VMs, keyed by id in CB58; null if there are none. */
  readonly chainAliases: Aliases | null
  readonly vmAliases: Aliases | null
  /** Number of processors that this process may use. */
  readonly parallelism: number
  /**
   * Maximum number of open files. It overrides the node's default. `maxReconnectDelay` overrides the longest pause
   * before a reconnection, in nanoseconds.
   */
  readonly fdLimit?: number
  readonly maxReconnectDelay?: bigint
}

type Aliases = Readonly<Record<string, readonly string[]>>
type Member = Readonly<Record<string, Json.Json>>

const MS = 1_000_000n
const SECOND = 1000n * MS
const MINUTE = 60n * SECOND
const PUBLIC_NETWORKS: readonly number[] = [1, 5]

/**
 * Returns the configuration of this process in the format of a node's configuration: 40 members in the same
 * order. Settings of parts that a replica does not have (consensus, throttling, benching) have the node's
 * default values. Source: avalanchego `node/config.go`, 1cf1fc3d17.
 */
export function toJSON(facts: ConfigFacts): Json.Json {
  const { configuration, constants, database } = facts
  return {
    httpConfig: http(configuration),
    ipConfig: ip(configuration),
    stakingConfig: staking(facts),
    txFeeConfig: txFees(constants),
    stateSyncConfig: { stateSyncIDs: null, stateSyncIPs: null },
    bootstrapConfig: bootstrap(configuration),
    databaseConfig: { readOnly: false, path: database.path, name: database.name },
    upgradeConfig: Upgrades.toJSON(constants.upgrades),
    avaxAssetID: Id.format(facts.avaxAssetId),
    networkID: constants.networkId,
    healthCheckFreq: duration(configuration.healthCheckFrequency),
    networkConfig: network(facts),
    ...timing(configuration),
    pluginDir: configuration.pluginDir,
    fdLimit: facts.fdLimit ?? 32_768,
    ...consensus(configuration),
    subnetConfigs: subnets(configuration.trackSubnets),
    chainAliases: facts.chainAliases,
    vmAliases: facts.vmAliases,
    ...resources(facts.parallelism),
    ...tracing(),
    useCurrentHeight: false,
    chainDataDir: join(configuration.dataDir, 'chainData'),
    processContextFilePath: join(configuration.dataDir, 'process.json'),
  }
}

/** Converts milliseconds to nanoseconds. */
function duration(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1e6))
}

function http(configuration: Configuration): Member {
  return {
    readTimeout: duration(configuration.httpReadTimeout),
    readHeaderTimeout: duration(configuration.httpReadHeaderTimeout),
    writeHeaderTimeout: duration(configuration.httpWriteTimeout),
    idleTimeout: duration(configuration.httpIdleTimeout),
    apiConfig: {
      indexerConfig: {
        indexAPIEnabled: configuration.indexEnabled,
        indexAllowIncomplete: configuration.indexAllowIncomplete,
      },
      adminAPIEnabled: configuration.apiAdminEnabled,
      infoAPIEnabled: configuration.apiInfoEnabled,
      metricsAPIEnabled: configuration.apiMetricsEnabled,
      healthAPIEnabled: configuration.apiHealthEnabled,
    },
    httpHost: configuration.httpHost,
    httpPort: configuration.httpPort,
    httpsEnabled: configuration.httpTlsEnabled,
    httpAllowedOrigins: configuration.httpAllowedOrigins,
    httpAllowedHosts: configuration.httpAllowedHosts,
    shutdownTimeout: duration(configuration.httpShutdownTimeout),
    shutdownWait: duration(configuration.httpShutdownWait),
  }
}

function ip({ publicIp, stakingHost, stakingPort }: Configuration): Member {
  return {
    publicIP: publicIp,
    publicIPResolutionService: '',
    publicIPResolutionFreq: 5n * MINUTE,
    listenHost: stakingHost,
    listenPort: stakingPort,
  }
}

function staking({ configuration, constants }: ConfigFacts): Member {
  const rules = constants.staking
  const ownSignerFile = join(configuration.dataDir, 'staking', 'signer.key')
  const { maxConsumptionRate, minConsumptionRate, mintingPeriod, supplyCap } = constants.reward
  return {
    uptimeRequirement: rules.uptimeRequirement,
    minValidatorStake: rules.minValidatorStake,
    maxValidatorStake: rules.maxValidatorStake,
    minDelegatorStake: rules.minDelegatorStake,
    minDelegationFee: rules.minDelegationFee,
    minStakeDuration: rules.minStakeDuration * SECOND,
    maxStakeDuration: rules.maxStakeDuration * SECOND,
    heliconMinStakeDuration: rules.heliconMinStakeDuration * SECOND,
    rewardConfig: { maxConsumptionRate, minConsumptionRate, mintingPeriod, supplyCap },
    sybilProtectionEnabled: true,
    partialSyncPrimaryNetwork: false,
    sybilProtectionDisabledWeight: 100,
    stakingTLSKeyPath: configuration.stakingTlsKeyFile,
    stakingTLSCertPath: configuration.stakingTlsCertFile,
    stakingSingerConfig: {
      ephemeralSignerEnabled: configuration.stakingEphemeralCertEnabled,
      signerKeyContent: '',
      keyPath: configuration.stakingSignerKeyFile,
      RPCEndpoint: '',
      keyPathIsSet: configuration.stakingSignerKeyFile !== ownSignerFile,
    },
  }
}

function txFees({ createAssetTxFee, txFee, dynamicFee, validatorFee }: Networks.Constants): Member {
  const { weights, maxCapacity, maxPerSecond, targetPerSecond } = dynamicFee
  return {
    createAssetTxFee,
    txFee,
    dynamicFeeConfig: {
      weights: [weights.bandwidth, weights.dbRead, weights.dbWrite, weights.compute],
      maxCapacity,
      maxPerSecond,
      targetPerSecond,
      minPrice: dynamicFee.minPrice,
      excessConversionConstant: dynamicFee.excessConversionConstant,
    },
    validatorFeeConfig: {
      capacity: validatorFee.capacity,
      target: validatorFee.target,
      minPrice: validatorFee.minPrice,
      excessConversionConstant: validatorFee.excessConversionConstant,
    },
  }
}

function bootstrap({ bootstrapIps, bootstrapIds }: Configuration): Member {
  return {
    bootstrapBeaconConnectionTimeout: MINUTE,
    bootstrapAncestorsMaxContainersSent: 2000,
    bootstrapAncestorsMaxContainersReceived: 2000,
    bootstrapMaxTimeGetAncestors: 50n * MS,
    bootstrappers: bootstrapIds.map((id, index) => ({ id, ip: bootstrapIps[index] ?? '' })),
  }
}

function network({ constants, nodeId, ip: myIP, maxReconnectDelay = MINUTE }: ConfigFacts): Member {
  return {
    healthConfig: {
      NoIngressValidatorConnectionGracePeriod: 10n * MINUTE,
      minConnectedPeers: 1,
      maxTimeSinceMsgReceived: MINUTE,
      maxTimeSinceMsgSent: MINUTE,
      maxPortionSendQueueBytesFull: 0.9,
      maxSendFailRate: 0.9,
      sendFailRateHalflife: 10n * SECOND,
    },
    peerListGossipConfig: {
      peerListNumValidatorIPs: 15,
      peerListPullGossipFreq: SECOND,
      peerListBloomResetFreq: MINUTE,
    },
    timeoutConfigs: { pingPongTimeout: 30n * SECOND, readHandshakeTimeout: 15n * SECOND },
    delayConfig: { initialReconnectDelay: SECOND, maxReconnectDelay },
    throttlerConfig: throttlers(),
    proxyEnabled: false,
    proxyReadHeaderTimeout: 3n * SECOND,
    dialerConfig: { throttleRps: 50, connectionTimeout: 30n * SECOND },
    tlsKeyLogFile: '',
    myNodeID: NodeId.format(nodeId),
    myIP,
    networkID: constants.networkId,
    maxClockDifference: MINUTE,
    pingFrequency: 22_500n * MS,
    allowPrivateIPs: !PUBLIC_NETWORKS.includes(constants.networkId),
    supportedACPs: [],
    objectedACPs: [],
    compressionType: 'zstd',
    uptimeMetricFreq: 30n * SECOND,
    requireValidatorToConnect: false,
    maximumInboundMessageTimeout: 10n * SECOND,
    peerReadBufferSize: 8192,
    peerWriteBufferSize: 8192,
    connectToAllValidators: false,
  }
}

function throttlers(): Member {
  const [MiB, perNode] = [2 ** 20, 2 * 2 ** 20]
  return {
    inboundConnUpgradeThrottlerConfig: { upgradeCooldown: 10n * SECOND, maxRecentConnsUpgraded: 2560 },
    inboundMsgThrottlerConfig: {
      byteThrottlerConfig: {
        vdrAllocSize: 32 * MiB,
        atLargeAllocSize: 6 * MiB,
        nodeMaxAtLargeBytes: perNode,
      },
      bandwidthThrottlerConfig: { bandwidthRefillRate: MiB / 2, bandwidthMaxBurstRate: perNode },
      cpuThrottlerConfig: { maxRecheckDelay: 5n * SECOND },
      diskThrottlerConfig: { maxRecheckDelay: 5n * SECOND },
      maxProcessingMsgsPerNode: 1024,
    },
    outboundMsgThrottlerConfig: {
      vdrAllocSize: 32 * MiB,
      atLargeAllocSize: 32 * MiB,
      nodeMaxAtLargeBytes: perNode,
    },
    maxInboundConnsPerSec: 256,
  }
}

function timing({ profileDir, logDir, logLevel, logDisplayLevel, logFormat }: Configuration): Member {
  return {
    adaptiveTimeoutConfig: {
      initialTimeout: 5n * SECOND,
      minimumTimeout: 2n * SECOND,
      maximumTimeout: 10n * SECOND,
      timeoutCoefficient: 2,
      timeoutHalflife: 5n * MINUTE,
    },
    benchlistConfig: {
      halflife: MINUTE,
      unbenchProbability: 0.2,
      benchProbability: 0.5,
      benchDuration: 5n * MINUTE,
      maxPortion: 1 / 12,
    },
    profilerConfig: { dir: profileDir, enabled: false, freq: 15n * MINUTE, maxNumFiles: 5 },
    loggingConfig: {
      maxSize: 8,
      maxFiles: 7,
      maxAge: 0,
      directory: logDir,
      compress: false,
      disableWriterDisplaying: false,
      logLevel,
      displayLevel: logDisplayLevel ?? logLevel,
      logFormat,
    },
  }
}

function consensus({ trackSubnets }: Configuration): Member {
  return {
    meterVMEnabled: true,
    routerHealthConfig: {
      maxDropRate: 1,
      maxDropRateHalflife: 10n * SECOND,
      maxOutstandingRequests: 1024,
      maxOutstandingDuration: 5n * MINUTE,
      maxRunTimeRequests: 10n * SECOND,
    },
    consensusShutdownTimeout: MINUTE,
    consensusGossipFreq: 100n * MS,
    consensusAppConcurrency: 2,
    trackedSubnets: trackSubnets.toSorted(),
    proposerMinBlockDelay: SECOND,
  }
}

function subnets(tracked: readonly string[]): Member {
  const subnet = {
    validatorOnly: false,
    allowedNodes: [],
    consensusParameters: null,
    snowParameters: {
      k: 20,
      alphaPreference: 15,
      alphaConfidence: 15,
      beta: 20,
      concurrentRepolls: 4,
      optimalProcessing: 10,
      maxOutstandingItems: 256,
      maxItemProcessingTime: 30n * SECOND,
    },
    simplexParameters: null,
    proposerNumHistoricalBlocks: 0,
  }
  const ids = [Id.format(Id.EMPTY), ...tracked].toSorted()
  return Object.fromEntries(ids.map((id) => [id, subnet]))
}

function resources(parallelism: number): Member {
  return {
    systemTrackerProcessingHalflife: 15n * SECOND,
    systemTrackerFrequency: 500n * MS,
    systemTrackerCPUHalflife: 15n * SECOND,
    systemTrackerDiskHalflife: MINUTE,
    cpuTargeterConfig: {
      vdrAlloc: 100_000,
      maxNonVdrUsage: 0.8 * parallelism,
      maxNonVdrNodeUsage: parallelism / 8,
    },
    diskTargeterConfig: {
      vdrAlloc: 10_000 * 2 ** 30,
      maxNonVdrUsage: 1000 * 2 ** 30,
      maxNonVdrNodeUsage: 1000 * 2 ** 30,
    },
    requiredAvailableDiskSpacePercentage: 3,
    warningAvailableDiskSpacePercentage: 10,
  }
}

function tracing(): Member {
  return {
    traceConfig: {
      exporterConfig: { type: 'disabled', endpoint: '', headers: {}, insecure: true },
      traceSampleRate: 0.1,
      appName: 'avalanchego',
      version: NodeVersion.NODE,
    },
  }
}
