import type { Aggregator, Prover, SignatureCache, Transport } from '@firn/aggregation'
import { Hex, Id } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import { SignedMessage, UnsignedMessage } from '@firn/warp'
import { LRUCache } from 'lru-cache'
import type { Registry } from 'prom-client'
import { reportJson } from '../json/Answer.ts'
import type { Signatures, Signed } from '../signing/Signatures.ts'
import { CHANNEL, createClaims } from './Claims.ts'
import { createDatabase, type Database, type Limits } from './Database.ts'
import { createLogReader } from './LogReader.ts'
import { createLogWriter, type LogWriter } from './LogWriter.ts'
import type { MessageLog } from './MessageLog.ts'
import { createRecall } from './Recall.ts'
import { startRetention } from './Retention.ts'
import type { Server } from './Server.ts'
import { createSharedTransport } from './SharedTransport.ts'
import { createSubmissions, type SubmissionsDependencies } from './Submissions.ts'

/** The part of an aggregator that it shares with the other aggregators of its fleet through a database. */
export interface SharedLog {
  /** Returns a transport that sends a request only if no other aggregator has sent it. */
  transport(inner: Transport): Transport
  /** Returns a cache that also stores signatures in the message log. */
  cache(inner: SignatureCache.SignatureCache): SignatureCache.SignatureCache
  /** Returns an aggregator that starts with the signatures of the message log, which it adds to `cache`. */
  aggregator(inner: Aggregator, cache: SignatureCache.SignatureCache, prover: Prover.Prover): Aggregator
  /** Returns a collector that stores every signed message with its report. */
  signatures(inner: Signatures): Signatures
  /** Returns the message log for the HTTP interface. */
  messageLog(dependencies: Omit<SubmissionsDependencies, 'database'>): MessageLog
  readonly database: Database
  /** Writes what is still to be written, and disconnects. */
  close(): Promise<void>
}

/** Options of {@link createSharedLog}. */
export interface SharedLogDependencies {
  readonly server: Server
  readonly clock: Clock
  readonly log: Logger
  readonly register: Registry
  readonly limits: Limits
  /** Age in milliseconds at which messages are deleted. */
  readonly retentionMs: number
}

/** Maximum number of signed messages that are remembered as stored. */
const MAX_STORED = 4_096
/** Milliseconds after which a signed message is stored again if it is requested again. */
const STORED_TTL_MS = 600_000

/** Joins the fleet of the aggregators that use the same database. Does not wait for the database. */
export function createSharedLog(dependencies: SharedLogDependencies): SharedLog {
  const { server, clock, retentionMs } = dependencies
  const database = createDatabase(dependencies)
  const reader = createLogReader(database)
  const writer = createLogWriter({ ...dependencies, database })
  const instance = crypto.randomUUID()
  dependencies.log.info({ instance }, 'joined the fleet')
  const claims = createClaims({ database, clock, holder: instance })
  const recall = createRecall({ ...dependencies, reader, writer })
  server.listen(CHANNEL, claims.look)
  const stopRetention = startRetention({ database, clock, retentionMs })
  return {
    transport: createSharedTransport({ ...dependencies, claims }),
    ...recall,
    signatures: (inner) => recordSigned(inner, writer),
    messageLog: (others) => ({ ...reader, ...createSubmissions({ ...others, database }) }),
    database,
    close: async () => {
      stopRetention()
      claims.close()
      await writer.flush()
      await database.close()
    },
  }
}

function recordSigned(inner: Signatures, writer: LogWriter): Signatures {
  // Equal requests share one result, and a message that is requested again changes nothing.
  const stored = new LRUCache<string, bigint>({ max: MAX_STORED, ttl: STORED_TTL_MS })
  const record = (messageId: string, { result, at }: Signed, quorumPercentage: number) => {
    const key = `${messageId} ${Hex.encodeBare(at.subnetId)} ${at.height}`
    if ((stored.get(key) ?? 0n) >= result.signedWeight) return
    stored.set(key, result.signedWeight)
    writer.addSigned({
      message_id: messageId,
      subnet_id: Hex.encodeBare(at.subnetId),
      p_chain_height: at.height.toString(),
      quorum_percentage: quorumPercentage,
      signed_message: Hex.encodeBare(result.signedMessage),
      signed_weight: result.signedWeight.toString(),
      needed_weight: result.neededWeight.toString(),
      total_weight: result.totalWeight.toString(),
      report: reportJson(result.report, at),
    })
  }
  return {
    ...inner,
    collect: async (request, limits) => {
      const signed = await inner.collect(request, limits)
      const { unsigned } = SignedMessage.decode(signed.result.signedMessage)
      const messageId = Hex.encodeBare(Id.hash(UnsignedMessage.encode(unsigned)))
      record(messageId, signed, request.quorumPercentage)
      for (const { first: height, result } of signed.forDestination?.messages ?? []) {
        record(messageId, { result, at: { ...signed.at, height } }, request.quorumPercentage)
      }
      return signed
    },
  }
}
