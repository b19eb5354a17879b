//! A routing given by its call, built when first needed.

use std::sync::{Arc, OnceLock};

use crate::call::Call;
use crate::fault::{Fault, Outcome, codes};
use crate::network::Network;
use crate::paths::Routing;

/// Makes the routing that a call names.
pub type MakeRouting = fn(&Arc<Network>, &Call) -> Outcome<Box<dyn Routing>>;

/// A routing that jobs share. Some evaluators need none, and its tables may be large, so it is built on first use.
pub struct RoutingCall {
    call: Call,
    make: MakeRouting,
    made: OnceLock<Arc<dyn Routing>>,
}

impl RoutingCall {
    pub fn new(call: Call, make: MakeRouting) -> RoutingCall {
        RoutingCall { call, make, made: OnceLock::new() }
    }

    /// One that is made already, for the network that it was made for.
    pub fn made(call: Call, routing: Arc<dyn Routing>) -> RoutingCall {
        let elsewhere: MakeRouting = |network, call| {
            let sentence = format!("the routing {call} was made for another network than {}", network.label());
            Err(Fault::say(&codes::UNSUPPORTED, "routing", sentence).into())
        };
        RoutingCall { made: OnceLock::from(routing), ..RoutingCall::new(call, elsewhere) }
    }

    pub fn call(&self) -> &Call {
        &self.call
    }

    /// The same for another network.
    #[must_use]
    pub fn again(&self) -> RoutingCall {
        RoutingCall::new(self.call.clone(), self.make)
    }

    /// The routing of another call, made as this one would be.
    ///
    /// # Errors
    /// Those of building it.
    pub fn other(&self, network: &Arc<Network>, call: &Call) -> Outcome<Box<dyn Routing>> {
        (self.make)(network, call)
    }

    /// The routing on `network`, which must be the same at every call.
    ///
    /// # Errors
    /// Those of building it.
    pub fn on(&self, network: &Arc<Network>) -> Outcome<&dyn Routing> {
        if let Some(made) = self.made.get() {
            return Ok(&**made);
        }
        let made = Arc::from((self.make)(network, &self.call)?);
        Ok(&**self.made.get_or_init(|| made))
    }
}

impl std::fmt::Debug for RoutingCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.call)
    }
}
