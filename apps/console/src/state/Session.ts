import { type Client, createClient } from '@firn/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ConsoleError } from '../ConsoleError.ts'
import type { ApiKind } from '../Routes.ts'
import type { Api, Landing } from './Landing.ts'
import type { SignIn } from './SignIn.ts'

/** The service that serves the console, and the APIs that pages call. */
export interface Session {
  readonly landing: Landing
  /** Returns an API of this process; undefined if it is not offered. */
  api(kind: ApiKind): Api | undefined
  /** Client of the Data API and the Metrics API; undefined if this process has no Data API. */
  readonly data: Client | undefined
  /** Name of the Primary Network that the Data API serves; undefined if it serves none. */
  readonly network: string | undefined
  /** API key of all requests; undefined if there is none. */
  readonly apiKey: string | undefined
  /** Whether an operator is signed in, and the token. */
  readonly signIn: SignIn
}

/** Creates the session from the landing page of the service, the API key of the settings, which may be empty, and the operator. */
export function create(landing: Landing, key: string, signIn: SignIn): Session {
  const apiKey = key === '' ? undefined : key
  const api = (kind: ApiKind) => landing.apis.find((one) => one.kind === kind)
  const [data, metrics] = [api('data'), api('metrics')]
  const answers = new Map<string, never>()
  return {
    landing,
    api,
    data:
      data && createClient({ url: data.url, metricsUrl: metrics?.url, apiKey, cache: answers, retries: 1 }),
    network: data?.network,
    apiKey,
    signIn,
  }
}

export const SessionContext = createContext<Session | undefined>(undefined)

/** Returns the session of the page. @throws ConsoleError `CONSOLE_SERVICE` outside of the console */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new ConsoleError('CONSOLE_SERVICE', 'No service is connected.')
  return session
}

/** Returns the client of the Data API. @throws ConsoleError `CONSOLE_API` if this process has none */
export function useData(): Client {
  const { data } = useSession()
  if (data === undefined)
    throw new ConsoleError('CONSOLE_API', 'This service has no Data API. Open its console.')
  return data
}

/** Returns the operations of the Primary Network and the name of the network. @throws ConsoleError `CONSOLE_API` */
export function usePrimary() {
  const { network } = useSession()
  const { primaryNetwork, metrics } = useData()
  if (network === undefined) {
    throw new ConsoleError('CONSOLE_API', 'This Data API serves EVM chains only, not a Primary Network.')
  }
  return { primary: primaryNetwork, metrics, network }
}
