import { createOperateClient, type OperateOperations } from '@firn/client/operate'
import { useMemo } from 'preact/hooks'
import { ConsoleError } from '../ConsoleError.ts'
import { useSession } from './Session.ts'
import { type Loaded, useLoaded } from './useLoaded.ts'

/** How often the pages for operators request their data again, in milliseconds. */
const REFRESH_MS = 5_000

/** Returns the endpoints for operators of this service. @throws ConsoleError `CONSOLE_API` if it has none */
export function useOperate(): OperateOperations {
  const { api, apiKey } = useSession()
  const url = api('operate')?.url
  const client = useMemo(() => url && createOperateClient({ url, apiKey, retries: 0 }).operate, [url, apiKey])
  if (client) return client
  throw new ConsoleError(
    'CONSOLE_API',
    'This service has no pages for operators. Open the console of the service that you operate.',
  )
}

/** Requests data for operators every few seconds. */
export function useOperateData<T>(
  request: (operate: OperateOperations, signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[] = [],
): Loaded<T> {
  const operate = useOperate()
  const { apiKey } = useSession()
  return useLoaded((signal) => request(operate, signal), [apiKey, ...dependencies], REFRESH_MS)
}
