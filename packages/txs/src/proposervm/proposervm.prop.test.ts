import { testRoundTrips } from '../testing/properties.ts'
import * as Container from './Container.ts'
import * as ContainerHeader from './ContainerHeader.ts'
import * as Epoch from './Epoch.ts'

testRoundTrips('container', Container.codec)
testRoundTrips('container header', ContainerHeader.codec)
testRoundTrips('epoch', Epoch.codec)
