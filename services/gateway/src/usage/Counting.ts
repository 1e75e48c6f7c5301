import type { Call } from '../json-rpc/RequestReader.ts'
import { createServedMethods } from '../methods/ServedMethods.ts'
import type { GatewayContext } from '../request/Context.ts'
import type { Route } from '../request/Route.ts'

/** Counts requests for the usage statistics. */
export interface Counting {
  /** Counts a finished call under its response code. `startedAt` is in milliseconds since 1970. */
  call(route: Route, method: string, status: number, startedAt: number, credits: number): void
  /** Counts a request that was refused before its calls were parsed. */
  refusal(route: Route, status: number, startedAt: number): void
  /** Returns the total cost of calls. */
  costOf(calls: readonly Call[]): number
}

/** Options of {@link createCounting}. */
export type CountingOptions = Pick<GatewayContext, 'costs' | 'count' | 'now'>

/** Creates the counter of requests. It limits the number of different method names. */
export function createCounting({ costs, count, now }: CountingOptions): Counting {
  const nameOf = createServedMethods(costs)
  const record = (route: Route, method: string, status: number, startedAt: number, credits: number) => {
    const time = now()
    count({
      time: Math.floor(time / 1000),
      chainId: route.chain.id,
      method,
      status,
      token: route.caller.bypass?.name ?? '',
      milliseconds: Math.max(0, Math.round(time - startedAt)),
      credits,
    })
  }
  return {
    call: (route, method, status, startedAt, credits) =>
      record(route, nameOf(method, status), status, startedAt, credits),
    refusal: (route, status, startedAt) => record(route, nameOf('', 0), status, startedAt, 0),
    costOf: (calls) => calls.reduce((sum, { method }) => sum + costs.of(method), 0),
  }
}
