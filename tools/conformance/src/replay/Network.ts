import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConformanceError } from '../ConformanceError.ts'
import * as Outcome from '../Outcome.ts'
import type { FileReport } from '../Report.ts'
import type { Archive } from './Archive.ts'
import type { Exchange } from './Exchange.ts'
import * as HttpCall from './HttpCall.ts'
import type { Facts, Mask } from './Masking.ts'
import { type Exceptions, isForUpstream } from './masks.ts'
import type { NodeApi, StartNodeApi } from './NodeApi.ts'
import * as Observations from './Observations.ts'
import type { Plan, Plugins, Stage } from './Plan.ts'
import * as RecordedServer from './RecordedServer.ts'
import * as Replay from './Replay.ts'

/** Name and exchanges of one recorded file. */
export interface File {
  readonly name: string
  readonly exchanges: readonly Exchange[]
}

/** Options of {@link play}. */
export interface Options {
  readonly archive: Archive
  readonly plan: Pick<Plan, 'nodes' | 'plugins' | 'upstreamNames'>
  readonly exceptions: Exceptions
  readonly ignoredHeaders: readonly string[] | 'all'
  readonly at: Pick<Stage, 'heights' | 'now' | 'plugins'>
  readonly start: StartNodeApi
}

/** The results of one stage. */
export interface Played {
  readonly reports: readonly FileReport[]
  readonly used: ReadonlySet<Mask>
  /** Results of the checks of the requests to the upstream. */
  readonly upstream: FileReport['results']
}

/**
 * Returns facts about the network from recorded responses. Masks need these facts to limit which values are
 * accepted.
 */
export function factsOf(exchanges: readonly Exchange[]): Facts {
  const calls = exchanges.filter(({ method }) => method === 'platform.getCurrentValidators')
  const nodeIds = new Set(calls.flatMap(({ answer }) => answer.body.match(/NodeID-[0-9A-Za-z]+/g) ?? []))
  return { isValidator: (nodeId) => nodeIds.has(nodeId) }
}

/** Returns the exchange with the path that a node API uses for its upstream. */
function asUpstream(exchange: Exchange, names: Plan['upstreamNames']): Exchange {
  const { request } = exchange
  const path = request.path.replace(/^\/ext\/bc\/([^/]+)/, (_, name) => `/ext/bc/${names[name] ?? name}`)
  return { ...exchange, request: { ...request, path } }
}

/** Returns the request that a node API sends to check its upstream's health, with the response. */
function identification(networkId: number): Exchange {
  const result = { jsonrpc: '2.0', result: { networkID: String(networkId) }, id: 1 }
  return {
    name: 'identification',
    port: 0,
    method: 'info.getNetworkID',
    argument: undefined,
    request: {
      httpMethod: 'POST',
      path: '/ext/info',
      headers: {},
      body: '{"method":"info.getNetworkID","params":{},"id":1}',
    },
    answer: {
      status: 200,
      headers: [['Content-Type', 'application/json; charset=utf-8']],
      body: `${JSON.stringify(result)}\n`,
    },
  }
}

const ISSUED = /^POST \S+ \S+\.issueTx /

/**
 * Returns a failed result for each upstream request that was not recorded, and a failed result if no recorded
 * request was forwarded. An issueTx without a recorded response is skipped, because only the upstream can
 * accept or reject it.
 */
function resultsOf(
  upstream: RecordedServer.RecordedServer,
  exchanges: readonly Exchange[],
): FileReport['results'] {
  const asked = upstream.unknown().map((key) => {
    const name = key.replaceAll('\n', ' ')
    const outcome = ISSUED.test(name)
      ? Outcome.skipped('the response to this issueTx was not recorded')
      : Outcome.failed('upstream', 'a response from the node API itself', 'a request to the upstream')
    return { name, outcome }
  })
  const isUsed = exchanges.length === 0 || exchanges.some((it) => upstream.answered().has(it))
  const used = isUsed ? Outcome.PASSED : Outcome.failed('upstream', 'requests to the upstream', 'none')
  return [...asked, { name: 'requests are forwarded to the upstream', outcome: used }]
}

async function addPlugins(folder: string, plugins: Plugins): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(plugins)) await writeFile(join(folder, name), text)
}

/**
 * Replays files against newly started node APIs, one for each recorded node. The node APIs share an upstream
 * that sends recorded responses.
 */
export async function play(files: readonly File[], facts: Facts, options: Options): Promise<Played> {
  const { archive, plan, exceptions, ignoredHeaders, at, start } = options
  const folder = await mkdtemp(join(tmpdir(), 'firn-replay-'))
  const pluginFolder = join(folder, 'plugins')
  await addPlugins(pluginFolder, plan.plugins)
  const passed = files.flatMap(({ exchanges }) => exchanges.filter(isForUpstream))
  const behind = passed.map((it) => asUpstream(it, plan.upstreamNames))
  const upstream = await RecordedServer.start([identification(archive.constants.networkId), ...behind])
  const nodeApis = new Map<number, { nodeApi: NodeApi; caller: HttpCall.Caller }>()
  const ask: Replay.Ask = async (port, request) => {
    const found = nodeApis.get(port) ?? (await open(port))
    return found.caller.call(request)
  }
  const open = async (port: number) => {
    const node = plan.nodes[port]
    if (node === undefined) {
      throw new ConformanceError(
        'CONFORMANCE_CASE',
        `expected one of the ports ${Object.keys(plan.nodes)}, got ${port}`,
      )
    }
    const recorded = files.flatMap(({ exchanges }) => exchanges.filter((it) => it.port === port))
    const observations = Observations.of(recorded, node.nodeId)
    const own = join(folder, String(port))
    await mkdir(own)
    const { heights, now } = at
    const nodeApi = await start({
      archive,
      node,
      observations,
      heights,
      now,
      folder: own,
      pluginFolder,
      upstream: upstream.url,
    })
    const opened = { nodeApi, caller: HttpCall.create(nodeApi.port) }
    nodeApis.set(port, opened)
    return opened
  }
  const before = async (file: string, line: number) => {
    for (const it of at.plugins ?? []) {
      if (`${it.file}.jsonl` === file && it.line === line) await addPlugins(pluginFolder, it.add)
    }
  }
  const reports: FileReport[] = []
  const used = new Set<Mask>()
  try {
    for (const { name, exchanges } of files) {
      const replayed = await Replay.run(name, exchanges, ask, {
        ...exceptions,
        ignoredHeaders,
        facts,
        before,
      })
      reports.push(replayed.report)
      for (const mask of replayed.used) used.add(mask)
    }
  } finally {
    for (const { nodeApi, caller } of nodeApis.values()) {
      caller.close()
      await nodeApi.close()
    }
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { reports, used, upstream: resultsOf(upstream, behind) }
}
