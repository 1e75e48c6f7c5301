import type { Parts } from './Endpoints.ts'

/** Joins the data of several services. Takes keys and log from the first service that has them. */
export function joinParts(all: readonly Parts[]): Parts {
  const of = <N extends keyof Parts>(name: N) =>
    all.map((one) => one[name]).filter((part): part is NonNullable<Parts[N]> => part !== undefined)
  const listed = <T>(readers: readonly (() => Promise<readonly T[]>)[]) =>
    readers.length === 0 ? undefined : async () => (await Promise.all(readers.map((read) => read()))).flat()
  const [peers, upstreams, limits] = [of('peers'), of('upstreams'), of('limits')]
  return {
    indexing: listed(of('indexing')),
    doctor: listed(of('doctor')),
    usage: listed(of('usage')),
    peers:
      peers.length === 0
        ? undefined
        : async () => {
            const reports = await Promise.all(peers.map((read) => read()))
            return {
              peers: reports.flatMap((one) => one.peers),
              subnets: reports.flatMap((one) => one.subnets),
            }
          },
    upstreams: () => upstreams.flatMap((read) => read()),
    limits: () => {
      const reports = limits.map((read) => read())
      return {
        limits: reports.flatMap((one) => one.limits),
        limited: reports.flatMap((one) => one.limited),
      }
    },
    keys: of('keys')[0],
    log: of('log')[0],
  }
}
