import { createOperateClient, type OperateOperations } from '@firn/client/operate'
import { useMemo } from 'preact/hooks'
import { ConsoleError } from '../ConsoleError.ts'
import { useSession } from './Session.ts'
import * as SignIn from './SignIn.ts'
import { type Loaded, useLoaded } from './useLoaded.ts'

/** How often the pages for operators request their data again, in milliseconds. */
const REFRESH_MS = 5_000

/**
 * Returns the endpoints for operators of this service.
 * @throws ConsoleError `CONSOLE_API` if it has none; `CONSOLE_SIGN_IN` if nobody is signed in and there is no API key
 */
export function useOperate(): OperateOperations {
  const { api, apiKey, signIn } = useSession()
  const { token } = signIn
  const url = api('operate')?.url
  const client = useMemo(() => url && createClient(url, token, apiKey), [url, token, apiKey])
  if (!client) {
    throw new ConsoleError(
      'CONSOLE_API',
      'This service has no pages for operators. Open the console of the service that you operate.',
    )
  }
  if (token !== undefined || apiKey !== undefined) return client
  const how = `Run "firn operate link --url ${location.origin}" on the machine of the service, as its user, and open the link that it prints. From another machine, use an API key with the scope admin.`
  throw new ConsoleError('CONSOLE_SIGN_IN', `${signIn.note ?? 'This page is for operators.'} ${how}`)
}

/** A key that is sent counts alone, so it is sent only without a token. */
function createClient(url: string, token: string | undefined, apiKey: string | undefined) {
  if (token === undefined) return createOperateClient({ url, apiKey, retries: 0 }).operate
  const request = async (target: string, init: RequestInit) => {
    const response = await fetch(target, init)
    if (response.status === 401) SignIn.end()
    return response
  }
  return createOperateClient({ url, token, retries: 0, fetch: request }).operate
}

/** Requests data for operators every few seconds. */
export function useOperateData<T>(
  request: (operate: OperateOperations, signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[] = [],
): Loaded<T> {
  const operate = useOperate()
  const { apiKey, signIn } = useSession()
  return useLoaded((signal) => request(operate, signal), [apiKey, signIn.token, ...dependencies], REFRESH_MS)
}
