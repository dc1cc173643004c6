// Takes the place of a library that is not needed: whoever uses it fails.
module.exports = {};
