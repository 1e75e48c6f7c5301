/**
 * Behaviour that every HTTP service of Firn shares.
 *
 * @packageDocumentation
 */
export * as BoundPort from './BoundPort.ts'
export * as ClientAddress from './ClientAddress.ts'
export * as Console from './Console.ts'
export * as CrossOrigin from './CrossOrigin.ts'
export * as DocumentationPage from './DocumentationPage.ts'
export * as ContentType from './fetch/ContentType.ts'
export { FETCH_FAILURES, type FetchFailure } from './fetch/FetchFailure.ts'
export * as HostAddresses from './fetch/HostAddresses.ts'
export * as OutboundTarget from './fetch/OutboundTarget.ts'
export * as PinnedRequest from './fetch/PinnedRequest.ts'
export * as PublicAddress from './fetch/PublicAddress.ts'
export * as PublicFetch from './fetch/PublicFetch.ts'
export * as GracefulClose from './GracefulClose.ts'
export { HttpError, type HttpErrorCode } from './HttpError.ts'
export * as IpAddress from './IpAddress.ts'
export * as IpNetworks from './IpNetworks.ts'
export * as LandingPage from './LandingPage.ts'
export * as OpenApiComponents from './OpenApiComponents.ts'
export * as PackageVersion from './PackageVersion.ts'
export * as Ports from './Ports.ts'
export * as RouteList from './RouteList.ts'
export * as SlowLog from './SlowLog.ts'
export * as TrustedProxies from './TrustedProxies.ts'
export * as UpstreamMetrics from './UpstreamMetrics.ts'
