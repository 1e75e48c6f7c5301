import {
  AggregationError,
  type AggregationRequest,
  type AggregationResult,
  Prover,
  type Report,
} from '@firn/aggregation'
import { Hex } from '@firn/codec'
import { createMemoryJobStore } from '@firn/jobs'
import { silentLogger, systemClock } from '@firn/runtime'
import { createFakeClock } from '@firn/runtime/testing'
import Fastify, { type InjectOptions } from 'fastify'
import { Registry } from 'prom-client'
import { type AllowListOptions, createAllowList } from '../callers/AllowList.ts'
import { createP2pBudget } from '../callers/P2pBudget.ts'
import { createConfiguration } from '../configuration/Configuration.ts'
import { endpointOf } from '../epochs/ChainRpc.ts'
import { type CurrentEpoch, createEpochs } from '../epochs/Epochs.ts'
import { createValidityCheck } from '../epochs/ValidityCheck.ts'
import { createForecast } from '../forecast/Forecast.ts'
import { createReadinessCheck } from '../forecast/Readiness.ts'
import { createSeenSignatures } from '../forecast/SeenSignatures.ts'
import { app, serverOptions } from '../http/App.ts'
import { createFairSlots } from '../jobs/FairSlots.ts'
import { createJobs } from '../jobs/Jobs.ts'
import { createSourceChains } from '../jobs/SourceChains.ts'
import { createAdmission } from '../load/Admission.ts'
import { createHeldBytes } from '../load/HeldBytes.ts'
import { check } from '../operate/Health.ts'
import { createHeights } from '../p-chain/Heights.ts'
import { createSubnets } from '../p-chain/Subnets.ts'
import { createValidatorSets } from '../p-chain/ValidatorSets.ts'
import { createConnections } from '../peers/Connections.ts'
import { createRecentlyLost } from '../peers/RecentlyLost.ts'
import type { Server } from '../shared-log/Server.ts'
import { createSharedLog } from '../shared-log/SharedLog.ts'
import { createPlatformVerdict } from '../signing/PlatformVerdict.ts'
import { createSignatures } from '../signing/Signatures.ts'
import { createFakeNetwork, createFakePChain, createMessage, NETWORK_ID } from './fakes.ts'

export const PATH = '/v1/signatureAggregator/local/aggregateSignatures'
export const GO_PATH = '/aggregate-signatures'
/** An unsigned C-chain message in hex, as callers send it. */
export const message = Hex.encode(createMessage())

/** Functions that close the servers that a test has opened. */
const closers: (() => Promise<unknown>)[] = []
/** Closes all servers that a test has opened. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close()
}

/** A report on two validators. The validator with 60 % of the weight signed, and the other one refused. */
export const REPORT: Report = {
  validators: [
    {
      index: 0,
      nodeIds: [new Uint8Array(20).fill(17)],
      weight: 60n,
      outcome: 'signed',
      latencyMs: 1.26,
      requests: 1,
      inSignedMessage: true,
    },
    {
      index: 1,
      nodeIds: [new Uint8Array(20).fill(18)],
      weight: 40n,
      outcome: 'refused',
      code: 2,
      text: 'not accepted',
      requests: 2,
      inSignedMessage: false,
    },
  ],
  signedWeight: 60n,
  neededWeight: 67n,
  targetWeight: 67n,
  totalWeight: 100n,
  reasons: [{ outcome: 'refused', code: 2, text: 'not accepted', validators: 1, weight: 40n }],
  counters: {
    requests: 3,
    responses: 1,
    lateResponses: 0,
    malformed: 0,
    wrongSignatures: 0,
    redundant: 0,
    retries: 1,
    hedges: 0,
    fromCache: 0,
    batches: 1,
  },
  elapsedMs: 12.34,
}

/** The result of the tests' fake aggregator. */
export const RESULT: AggregationResult = {
  signedMessage: Uint8Array.of(0xab, 0xcd),
  signers: [0],
  signedWeight: 60n,
  totalWeight: 100n,
  neededWeight: 67n,
  report: REPORT,
}

/** The parts of the service that a test replaces. */
export interface Setup {
  readonly configuration?: Parameters<typeof createConfiguration>[0]
  readonly allowed?: AllowListOptions
  readonly trackedSubnets?: readonly Uint8Array[]
  readonly aggregate?: (request: AggregationRequest) => Promise<AggregationResult>
  readonly networkNames?: readonly string[]
  /** The database server of a message log. */
  readonly server?: Server
  /** Number of queries that may be in progress. */
  readonly capacity?: number
  /** Epochs by chain id in cb58. */
  readonly epochs?: ReadonlyMap<string, CurrentEpoch>
  /** Sends requests to the nodes of source chains. */
  readonly rpc?: typeof fetch
}

/** Creates the service without sockets, with a fake P-chain, a fake network and a fake aggregator. */
export async function setUp({
  configuration,
  allowed = {},
  trackedSubnets = [],
  aggregate,
  networkNames = ['local'],
  server: databaseServer,
  capacity = 10_000,
  epochs: chains = new Map(),
  rpc,
}: Setup = {}) {
  const settings = createConfiguration(configuration)
  const pChain = createFakePChain()
  const clock = createFakeClock()
  const network = createFakeNetwork()
  const register = new Registry()
  const limits = { staleAfterMs: 60_000, patienceMs: 1_000 }
  const heights = createHeights({ pChain, clock, ...limits, maxLookback: 50 })
  const subnets = createSubnets({ pChain, clock, log: silentLogger, patienceMs: 1_000 })
  const validatorSets = createValidatorSets({ pChain, heights, subnets, clock, register, ...limits })
  const epochs = createEpochs({ chains, durationSeconds: async () => 30, clock })
  const connections = createConnections({
    recentlyLost: createRecentlyLost(clock),
    network,
    pChain,
    validatorSets,
    clock,
    log: silentLogger,
    register,
    trackedSubnets,
    manualPeers: [],
    allowPrivate: true,
    connectTimeoutMs: 0,
    refreshMs: 60_000,
  })
  const asked: AggregationRequest[] = []
  const aggregator = {
    plan: (request: AggregationRequest) => ({ key: Hex.encode(request.message), queries: 1 }),
    aggregate: async (request: AggregationRequest) => {
      asked.push(request)
      return aggregate === undefined ? RESULT : aggregate(request)
    },
    lately: () => undefined,
  }
  const allowList = createAllowList(allowed)
  const seen = createSeenSignatures(clock)
  const forecast = createForecast({
    validatorSets,
    connections,
    network,
    aggregator,
    pChain,
    subnets,
    clock,
    register,
    log: silentLogger,
    allowList,
  })
  const signatures = createSignatures({
    networkId: NETWORK_ID,
    subnets,
    platform: createPlatformVerdict({ pChain, subnets, clock }),
    validatorSets,
    heights,
    epochs,
    forecast,
    connections,
    aggregator,
    admission: createAdmission({ capacity, clock, register }),
    clock,
    register,
    budget: createP2pBudget(configuration?.p2pRequestsPerMinute ?? 0, clock),
    allowList,
    seen,
    collectTimeoutMs: 15_000,
  })
  const sharedLog =
    databaseServer &&
    createSharedLog({
      server: databaseServer,
      clock: systemClock,
      log: silentLogger,
      register,
      limits: { promptMs: 60_000, patientMs: 60_000 },
      retentionMs: 1e9,
    })
  await sharedLog?.database.tried
  closers.push(async () => sharedLog?.close())
  const prover = Prover.create(systemClock)
  const slots = createFairSlots(4)
  const sourceChains = createSourceChains({
    endpoints: new Map(settings.chainRpc.map((chain) => [chain.blockchainId, endpointOf(chain, 'rpc')])),
    clock,
    timeoutMs: 1_000,
    ...(rpc === undefined ? {} : { fetch: rpc }),
  })
  const jobs = createJobs({
    store: createMemoryJobStore({ clock, maxJobs: 4, maxJobsPerCaller: 3, retentionMs: 60_000 }),
    signing: { signatures, networkId: NETWORK_ID, clock, slots, sourceChains },
    clock,
    log: silentLogger,
    timeoutMs: configuration?.jobTimeout ?? 30_000,
  })
  closers.push(() => jobs.close())
  const dependencies = {
    signatures,
    heldBytes: createHeldBytes({ maxBytes: settings.maxHeldBytes, register }),
    forecast,
    checkReadiness: createReadinessCheck({ pChain, validatorSets, connections, seen, allowList }),
    messageLog: sharedLog?.messageLog({
      networkId: NETWORK_ID,
      prover,
      subnets,
      validatorSets,
      allowList,
    }),
    validity: createValidityCheck({
      networkId: NETWORK_ID,
      subnets,
      validatorSets,
      heights,
      epochs,
      forecast,
      clock,
      allowList,
      prover,
    }),
    networkId: NETWORK_ID,
    clock,
    slots,
    jobs,
    sourceChains,
    epochs,
    networkNames,
    health: () =>
      check({
        network: 'local',
        networkId: NETWORK_ID,
        heights,
        connections,
        clock,
        staleAfterMs: 60_000,
        database: sharedLog?.database,
      }),
    register,
    version: '0.0.0',
    configuration: settings,
  }
  const server = Fastify(serverOptions)
  await server.register(app(dependencies))
  closers.push(() => server.close())
  const post = async (payload: unknown, options: InjectOptions = {}) => {
    const response = await server.inject({
      method: 'POST',
      url: PATH,
      payload: payload as object,
      ...options,
    })
    return {
      status: response.statusCode,
      body: JSON.parse(response.body || 'null'),
      headers: response.headers,
    }
  }
  return { server, dependencies, post, pChain, clock, network, connections, asked }
}

/** Returns a fake aggregator that always fails with `error`. */
export const failing = (error: unknown) => async (): Promise<AggregationResult> => {
  throw error
}

/** The error of an aggregation that missed its quorum, with {@link REPORT}. */
export const missed = new AggregationError('AGGREGATION_QUORUM_NOT_REACHED', 'no quorum', {
  details: { report: REPORT },
})
