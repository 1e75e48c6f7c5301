import {
  type BoundPort,
  ConnectionLimits,
  Connections,
  GracefulClose,
  OperatorSocket,
  QueryParser,
  RouteList,
} from '@firn/http'
import { Operators } from '@firn/operate'
import type { Owner } from '@firn/runtime'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Configuration } from './configuration/Configuration.ts'
import { app as createApp, serverOptions } from './http/App.ts'
import type { AppDependencies } from './http/AppDependencies.ts'
import { addOperationRoutes } from './http/operations.ts'
import { timesOf } from './http/Shutdown.ts'
import { createInProcess, type InProcess } from './InProcess.ts'

/** The bound ports of the service. */
export interface Ports {
  readonly api: BoundPort.BoundPort
  /** Port that serves only `/metrics` and `/health`, if there is one. */
  readonly metrics?: BoundPort.BoundPort
}

/** Options of {@link openListeners}. */
export interface ListenersDependencies {
  readonly configuration: Configuration
  readonly connectionLimits: Partial<ConnectionLimits.ConnectionLimits> | undefined
  readonly operators: Operators.Operators
  readonly register: Registry
  readonly log: FastifyBaseLogger
}

/** The HTTP servers of the service. */
export interface Listeners {
  readonly app: FastifyInstance
  readonly routes: readonly RouteList.Route[]
  readonly metricsRoutes: readonly RouteList.Route[]
  readonly fetch: InProcess['fetch']
}

/** Serves the HTTP interface on the ports, on the operator socket and in this process. */
export async function openListeners(
  ports: Ports,
  app: AppDependencies,
  { configuration, connectionLimits, operators, register, log }: ListenersDependencies,
  owner: Owner,
): Promise<Listeners> {
  const api = await createApi(app, operators, log)
  const metrics = ports.metrics && createMetrics(app)
  const inProcess = createInProcess(app, log)
  const graceMs = timesOf(configuration.shutdownTimeout).disconnectMs
  const gracefully = ({ server }: Listener) =>
    GracefulClose.run(server.server, () => server.close(), { graceMs })
  // All at the same time, because each may wait for requests in progress.
  owner.onClose(() => Promise.all([gracefully(api), inProcess.close(), metrics && gracefully(metrics)]))
  await Promise.all([api.server.ready(), metrics?.server.ready()])
  const connections = Connections.create({
    ...{ ...configuration, limits: connectionLimits, registry: register },
    ...{ service: 'aggregator', prefix: 'signature_aggregator' },
  })
  owner.own(await OperatorSocket.serve(api.server.server, configuration.operatorSocket))
  await ports.api.serve(api.server.server, { connections, listener: 'api' })
  if (metrics) await ports.metrics?.serve(metrics.server.server, { connections, listener: 'metrics' })
  const { server, routes } = api
  return { app: server, routes, metricsRoutes: metrics?.routes ?? [], fetch: inProcess.fetch }
}

/** A server with a list of its routes. */
interface Listener {
  readonly server: FastifyInstance
  readonly routes: readonly RouteList.Route[]
}

async function createApi(
  app: AppDependencies,
  operators: Operators.Operators,
  loggerInstance: FastifyBaseLogger,
): Promise<Listener> {
  const server = Fastify({ ...serverOptions, http: ConnectionLimits.SERVER_OPTIONS, loggerInstance })
  const routes = RouteList.collect(server)
  Operators.addRoutes(server, operators)
  await server.register(createApp(app))
  return { server, routes }
}

function createMetrics(app: AppDependencies): Listener {
  const server = Fastify({
    http: ConnectionLimits.SERVER_OPTIONS,
    routerOptions: { querystringParser: QueryParser.parse },
  })
  const routes = RouteList.collect(server)
  addOperationRoutes(server, app)
  return { server, routes }
}
