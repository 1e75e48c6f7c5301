import * as BoundPort from './BoundPort.ts'

/** Options whose ports may already be bound to a socket. */
export type MaybeBound<Options, Name extends keyof Options> = Omit<Options, Name> & {
  readonly [Key in Name]: Extract<Options[Key], undefined> | BoundPort.Port
}

/** Options whose ports are all bound to a socket. */
type Bound<Options, Name extends keyof Options> = Omit<Options, Name> & {
  readonly [Key in Name]: Extract<Options[Key], undefined> | BoundPort.BoundPort
}

/**
 * Binds all ports of a command, then runs `work` with the options, so that a port in use ends the command at
 * once. `flags` maps each port option to its flag; absent ports are ignored. Ports that `work` did not use
 * are released at the end.
 *
 * @throws HttpError `HTTP_PORT`
 * @example
 * ```ts
 * import { Ports } from '@firn/http'
 *
 * const options = { host: '127.0.0.1', port: 8700, metricsPort: undefined as number | undefined }
 * const flags = { port: '--port', metricsPort: '--metrics-port' }
 * await Ports.during(options, flags, async ({ port }) => console.log(port.url))
 * ```
 */
export const during = async <
  Options extends { readonly host: string },
  Name extends keyof Options & string,
  T,
>(
  options: Options,
  flags: Readonly<Record<Name, string>>,
  work: (bound: Bound<Options, Name>) => Promise<T>,
): Promise<T> => {
  const given = (Object.entries(flags) as [Name, string][]).flatMap(([name, flag]) => {
    const port = options[name] as BoundPort.Port | undefined
    return typeof port === 'number' ? [[name, { host: options.host, port, flag }] as const] : []
  })
  const bound = await BoundPort.bindAll(Object.fromEntries(given))
  try {
    return await work({ ...options, ...bound } as Bound<Options, Name>)
  } finally {
    await Promise.all(Object.values(bound).map((port) => port.close()))
  }
}
