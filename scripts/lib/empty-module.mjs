// Takes the place of packages in the bundle of the server that are never loaded; see build-server.mjs.
export default null;
