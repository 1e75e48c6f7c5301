import { PackageVersion } from '@firn/http'

/** Version of this package. */
export const VERSION: string = PackageVersion.read(new URL('..', import.meta.url).href)
