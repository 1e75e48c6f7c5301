import { BoundPort } from '@firn/http'
import { LocalAccess } from '@firn/operate'
import { Common, group, option, type Terminal, Type, type Values } from '@firn/options'
import { createMonitor, type Monitor, type Monitored } from '../monitor/Monitor.ts'
import * as Database from './Database.ts'

/** Options of the server for metrics and health. */
export const OPTIONS = {
  ...group('HTTP', {
    metricsPort: option(Type.port, { help: 'Port that serves /metrics and /health; 0 picks a free one.' }),
    metricsHost: option(Type.host, {
      default: '127.0.0.1',
      help: 'Address to listen on with --metrics-port.',
    }),
  }),
  ...Common.OPERATORS,
}

/** The values of {@link OPTIONS}. The port may already be bound. */
export type Options = Omit<Values<typeof OPTIONS>, 'metricsPort'> & {
  readonly metricsPort?: BoundPort.Port | undefined
}

/** Starts the server at the port and says where it is, if there is a port. @throws HttpError `HTTP_SOCKET` */
export async function start(
  monitored: Monitored,
  options: Options & { readonly dataDir: string },
  terminal: Terminal,
): Promise<Monitor | undefined> {
  const { metricsPort: port, metricsHost: host, operatorSocket, dataDir: folder } = options
  if (port === undefined) return undefined
  const local = LocalAccess.open({ folder, log: Database.logger(terminal) })
  const monitor = await createMonitor(monitored, { port, host, operatorSocket, local })
  terminal.note(`metrics and health on ${monitor.url}`)
  LocalAccess.announce(local, monitor.url, terminal)
  return monitor
}

/**
 * Binds the port for metrics and health, if one is given, and runs `work` with it, so that a port in use ends the
 * command at once.
 * @throws HttpError `HTTP_PORT`
 */
export const during = <T>(
  { metricsPort, metricsHost: host }: Options,
  work: (port: BoundPort.BoundPort | undefined) => Promise<T>,
): Promise<T> =>
  metricsPort === undefined
    ? work(undefined)
    : BoundPort.use(metricsPort, { host, flag: '--metrics-port', hostFlag: '--metrics-host' }, work)
