import { Id, NodeId } from '@firn/codec'
import type { Archive } from './Archive.ts'
import type { Exchange } from './Exchange.ts'
import * as JsonText from './JsonText.ts'
import * as masks from './masks.ts'
import type { Plan, RecordedNode } from './Plan.ts'
import { RECENT } from './PointInTime.ts'
import { TRANSCRIPTS, type Transcripts } from './transcripts.ts'

/** Returns a recorded node with the Index and Admin APIs. */
const fullNode = (nodeId: string, tracks: readonly string[] = []): RecordedNode => ({
  nodeId,
  hasIndex: true,
  hasAdmin: true,
  tracks,
})

/** Returns the NodeIDs of the validators in the genesis. */
function stakers({ genesis }: Archive): string[] {
  return genesis.platform.validators.flatMap(({ unsignedTx }) =>
    'validator' in unsignedTx ? NodeId.format(unsignedTx.validator.nodeID) : [],
  )
}

const firstStaker = (archive: Archive) => stakers(archive)[0] ?? NodeId.format(NodeId.EMPTY)

/** Returns the NodeIDs in the first recorded list of current validators. */
function validatorsAt(exchanges: readonly Exchange[]): ReadonlySet<string> {
  const exchange = exchanges.find(({ method }) => method === 'platform.getCurrentValidators')
  return new Set(exchange?.answer.body.match(/NodeID-[0-9A-Za-z]+/g) ?? [])
}

/**
 * Returns the NodeID of the recorded node, which point-in-time recordings do not contain. It is the NodeID that was a
 * validator exactly in those recordings in which the node reported its own uptime instead of an error.
 */
export function identify(archive: Archive, recordings: readonly (readonly Exchange[])[]): string {
  const answered = recordings.flatMap((exchanges) => {
    const uptime = exchanges.find(({ method }) => method === 'info.uptime')
    if (uptime === undefined) return []
    return [{ isValidator: resultOf(uptime) !== undefined, validators: validatorsAt(exchanges) }]
  })
  const known = new Set([...stakers(archive), ...answered.flatMap(({ validators }) => [...validators])])
  const isRecorded = (nodeId: string) =>
    answered.every(({ isValidator, validators }) => validators.has(nodeId) === isValidator)
  return [...known].find(isRecorded) ?? firstStaker(archive)
}

/** Returns the names of the chains in recorded paths, which may contain the C-chain's id. */
function chainNames({ genesis }: Archive): Readonly<Record<string, string>> {
  return { [Id.format(genesis.cChain.blockchainId)]: 'C' }
}

/** Returns the known plan of transcripts with the given names, or undefined if the transcripts are new. */
export function findTranscripts(names: readonly string[]): Transcripts | undefined {
  return TRANSCRIPTS.find(({ stages }) => stages.some(({ files }) => files.some((it) => names.includes(it))))
}

/**
 * Returns the plan for transcripts with the given names that were recorded at the given ports. An unknown
 * file is replayed on the last blocks of the archive.
 */
export async function forTranscripts(
  archive: Archive,
  names: readonly string[],
  ports: readonly number[],
): Promise<Plan> {
  const known = findTranscripts(names)
  const planned = known?.stages.flatMap(({ files }) => files) ?? []
  const files = names.filter((name) => !planned.includes(name))
  const { P } = await archive.store.snapshot()
  const last = { files, heights: {}, now: Number(P.time) * 1000 + RECENT }
  return {
    stages: [...(known?.stages ?? []), ...(files.length === 0 ? [] : [last])],
    plugins: known?.plugins ?? {},
    nodes: known?.nodes ?? Object.fromEntries(ports.map((port) => [port, fullNode(firstStaker(archive))])),
    upstreamNames: { ...chainNames(archive), ...known?.upstreamNames },
    exceptions: known?.exceptions ?? masks.OTHERS,
  }
}

/** Returns the subnets of the chains that the recorded node ran at the time of the recording. */
function trackedSubnets(exchanges: readonly Exchange[]): string[] {
  const chainOf = ({ argument }: Exchange) => textAt(argument, 'blockchainID')
  const running = exchanges
    .filter(({ method }) => method === 'platform.getBlockchainStatus')
    .filter((it) => textAt(resultOf(it), 'status') === 'Validating')
    .map(chainOf)
  return exchanges
    .filter((it) => it.method === 'platform.validatedBy' && running.includes(chainOf(it)))
    .flatMap((it) => textAt(resultOf(it), 'subnetID') ?? [])
    .filter((subnetId) => subnetId !== Id.format(Id.EMPTY))
}

const resultOf = ({ answer }: Exchange) => JsonText.member(JsonText.parse(answer.body), 'result')

const textAt = (json: JsonText.JsonText | undefined, name: string) =>
  JsonText.textOf(JsonText.member(json, name))

/**
 * Returns the plan for the responses of the node `nodeId` at one point in time. `port` identifies the node.
 */
export function forPointInTime(
  archive: Archive,
  nodeId: string,
  exchanges: readonly Exchange[],
  port: number,
): Plan {
  return {
    stages: [],
    plugins: {},
    nodes: { [port]: fullNode(nodeId, trackedSubnets(exchanges)) },
    upstreamNames: chainNames(archive),
    exceptions: masks.POINT_IN_TIME,
  }
}
