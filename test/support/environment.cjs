// jest's environment for Node, in a context whose global object is an ordinary one: jest's own asks a proxy for every
// `Number` and `JSON` that the code names, which takes a tenth of the time of most tests.

const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const createContext = vm.createContext;

module.exports = class PlainContext extends TestEnvironment {
  constructor(...parameters) {
    // Node before 20.18 and 22.8 does not know the constant and keeps the proxy.
    const plain = vm.constants?.DONT_CONTEXTIFY;
    if (plain !== undefined) vm.createContext = () => createContext(plain);
    try {
      super(...parameters);
    } finally {
      vm.createContext = createContext;
    }
    // A failure shows the frames that matter; each `expect` notes them in advance.
    this.global.Error.stackTraceLimit = 20;
  }
};
