import { BoundPort } from '@firn/http'
import { group, option, Type, type Values } from '@firn/options'

/** Options of the server for metrics and health. */
export const OPTIONS = group('HTTP', {
  metricsPort: option(Type.port, { help: 'Port that serves /metrics and /health; 0 picks a free one.' }),
  metricsHost: option(Type.host, {
    default: '127.0.0.1',
    help: 'Address to listen on with --metrics-port.',
  }),
})

/** The values of {@link OPTIONS}. The port may already be bound. */
export type Options = Omit<Values<typeof OPTIONS>, 'metricsPort'> & {
  readonly metricsPort?: BoundPort.Port | undefined
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
