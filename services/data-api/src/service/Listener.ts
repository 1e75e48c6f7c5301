import {
  type BoundPort,
  type Connections,
  GracefulClose,
  OperatorSocket,
  RouteList,
  type TrustedProxies,
} from '@firn/http'
import { type LandingPage, Operators } from '@firn/operate'
import { type Logger, silentLogger } from '@firn/runtime'
import fastify, { type FastifyInstance } from 'fastify'
import type { Access } from '../http/admission/Access.ts'
import type { Download } from '../http/endpoint/Download.ts'
import type { Endpoint, EventStream } from '../http/endpoint/Endpoint.ts'
import { restPlugin, serverOptions } from '../http/RestPlugin.ts'
import { bodyForm, type MoneyForm } from '../metadata/MoneyForm.ts'
import { addOperations, type Watched } from '../operate/Operations.ts'
import type { UsageCounts } from '../operate/UsageCounts.ts'
import type { RequestRecorder } from '../usage/RequestRecorder.ts'
import { toApiRequest } from '../usage/toApiRequest.ts'

/** What all listeners of a service share. */
export interface Shared {
  readonly version: string
  readonly timeoutMs: number
  readonly answerCacheBytes?: number | undefined
  readonly moneyForm?: MoneyForm | undefined
  readonly links?: readonly LandingPage.Link[] | undefined
  readonly apis?: readonly LandingPage.Api[] | undefined
  readonly log?: Logger | undefined
  readonly access: Access
  readonly watched: Watched
  readonly recording: Recording
  readonly connections: Connections.Connections
}

/** Endpoints and settings of one listener. */
export interface Part {
  readonly port: BoundPort.BoundPort
  readonly operatorSocket?: string | undefined
  readonly prefix?: string | undefined
  readonly endpoints: readonly Endpoint[]
  readonly streams?: readonly EventStream[]
  readonly downloads?: readonly Download[]
  /** APIs of the listener. */
  readonly apis: readonly LandingPage.Api[]
  /** The endpoints for operators; absent if the listener has none. */
  readonly operators?: Operators.Operators
}

const ABOUT = {
  name: 'Data API',
  description: 'Serves indexed data of the Avalanche network as a REST API.',
} as const

/** A listener with its routes, including the prefix. */
export interface Listener {
  readonly server: FastifyInstance
  readonly socket: { close(): Promise<unknown> } | undefined
  readonly url: string
  readonly routes: readonly RouteList.Route[]
}

/**
 * Serves a part of the endpoints on a bound port.
 * @throws HttpError
 */
export async function listen(shared: Shared, part: Part): Promise<Listener> {
  const { version, answerCacheBytes, access, recording, links = [], apis = [], log = silentLogger } = shared
  const { port, prefix = '', endpoints, streams = [], downloads = [], operators } = part
  const server: FastifyInstance = fastify(serverOptions)
  const routes = RouteList.collect(server)
  const operated = operators === undefined ? [] : [Operators.apiOf(operators)]
  const about = { ...ABOUT, version, prefix, links, apis: [...part.apis, ...apis, ...operated] }
  addOperations(server, shared.watched, { access, log }, about)
  if (operators !== undefined) Operators.addRoutes(server, operators)
  record(server, access, recording)
  await server.register(
    restPlugin({
      ...{ title: 'Firn Data API', version, endpoints, streams, downloads, access, log, prefix },
      timeoutMs: shared.timeoutMs,
      trusted: recording.trusted,
      bodyForm: (endpoint) => bodyForm(endpoint, shared.moneyForm),
      ...(answerCacheBytes === undefined ? {} : { answerCacheBytes }),
    }),
  )
  await server.ready()
  const socket = await OperatorSocket.serve(server.server, part.operatorSocket)
  await port.serve(server.server, {
    connections: shared.connections,
    listener: operators === undefined ? 'metrics' : 'api',
  })
  return { server, socket, url: port.url + prefix, routes }
}

/** Closes listeners at the same time, after the requests that they are answering. */
export async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map(({ socket }) => socket?.close()))
  await Promise.all(listeners.map(({ server }) => GracefulClose.run(server.server, () => server.close())))
}

/** What records answered requests. */
export interface Recording {
  readonly counts: UsageCounts
  readonly recorder: RequestRecorder | undefined
  readonly trusted: TrustedProxies.TrustedProxies
}

/** Counts each request after its response, and keeps those with API keys. */
function record(server: FastifyInstance, access: Access, { counts, recorder, trusted }: Recording): void {
  server.addHook('onResponse', async (request, reply) => {
    const used = access.used(request)
    if (used === undefined) return
    const { keyId } = used
    const method = `${request.method} ${request.routeOptions.url ?? 'unknown path'}`
    counts.add({ ...used, method, isError: reply.statusCode >= 400 })
    if (keyId === undefined) return
    recorder?.record(toApiRequest(request, reply, { ...used, keyId }, { trusted, now: Date.now() }))
  })
}
