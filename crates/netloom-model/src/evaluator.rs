//! Evaluators: they answer a scenario.

use crate::answer::{Answer, Field, Found, TableRow};
use crate::fault::{Fault, Faults, Outcome, codes};
use crate::job::Job;
use crate::network::Per;
use crate::param::Bound;
use crate::progress::Progress;
use crate::row::Row;
use crate::scenario::Scenario;

/// A row of the registry of evaluators, in addition to its name and options.
pub struct Evaluates {
    /// Name and version of the model behind it. A new version may give other numbers.
    pub model: &'static str,
    pub version: &'static str,
    /// Assumptions of the model, one sentence each.
    pub assumptions: &'static [&'static str],
    /// The fields of the record that `find` gives: [`Record::FIELDS`](crate::Record::FIELDS) of its type.
    pub fields: &'static [Field],
    /// The tables that `find` may give: [`Tabled::TABLE`](crate::Tabled::TABLE) of the types of their rows.
    pub tables: &'static [&'static TableRow],
    /// Refuses scenarios with a part that it would have to ignore.
    pub supports: fn(&Needs<'_>) -> Outcome<()>,
    pub find: fn(&Scenario, &Bound, &Progress) -> Outcome<Found>,
}

/// An evaluator: it answers a scenario.
pub type Evaluator = Row<Evaluates>;

impl Evaluator {
    /// # Errors
    /// `NL-E030` for each part of the scenario that it cannot use, by name.
    pub fn check(&self, scenario: &Scenario) -> Outcome<()> {
        (self.build.supports)(&Needs::new(self.name, scenario))
    }

    /// The answer; `options` are what [`Row::bind`] gives.
    ///
    /// # Errors
    /// Those of [`Scenario::check`], of [`Evaluator::check`] and of the model.
    pub fn evaluate(&self, scenario: &Scenario, options: &Bound, progress: &Progress) -> Outcome<Answer> {
        self.answer(scenario, || (self.build.find)(scenario, options, progress))
    }

    /// The answer as what `find` found; it is called if the scenario is one that the evaluator can use.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate`].
    pub fn answer(&self, scenario: &Scenario, find: impl FnOnce() -> Outcome<Found>) -> Outcome<Answer> {
        scenario.check()?;
        self.check(scenario)?;
        let Found { fields, record, tables } = find()?;
        debug_assert_eq!(fields, self.build.fields, "values of {}", self.name);
        let Evaluates { model, version, assumptions, .. } = self.build;
        Ok(Answer { evaluator: self.name, model, version, assumptions, fields, record, tables })
    }
}

/// Checks of a scenario before an evaluation starts.
pub struct Needs<'a> {
    evaluator: &'a str,
    pub scenario: &'a Scenario,
}

impl<'a> Needs<'a> {
    pub fn new(evaluator: &'a str, scenario: &'a Scenario) -> Needs<'a> {
        Needs { evaluator, scenario }
    }
}

impl Needs<'_> {
    /// All refusals in one outcome.
    pub fn all(&self, parts: &[fn(&Needs<'_>) -> Option<Fault>]) -> Outcome<()> {
        Faults(parts.iter().filter_map(|part| part(self)).collect()).or(())
    }

    /// The refusal of a part of the scenario.
    pub fn refuse(&self, part: impl Into<String>, sentence: impl std::fmt::Display) -> Fault {
        Fault::say(&codes::UNSUPPORTED, part, format!("{} {sentence}", self.evaluator))
    }

    fn job(&self, matches: impl Fn(&Job) -> bool) -> Option<&Job> {
        self.scenario.jobs.iter().find(|job| matches(job))
    }

    pub fn one_job(&self) -> Option<Fault> {
        let jobs = self.scenario.jobs.len();
        (jobs != 1).then(|| self.refuse("jobs", format_args!("takes one job, not {jobs}")))
    }
    pub fn some_job(&self) -> Option<Fault> {
        self.scenario.jobs.is_empty().then(|| self.refuse("jobs", "takes at least one job"))
    }
    pub fn no_background(&self) -> Option<Fault> {
        let flows = self.scenario.background.len();
        (flows > 0).then(|| self.refuse("background", "knows no background flows"))
    }
    pub fn no_variant(&self) -> Option<Fault> {
        self.job(|job| job.variant.is_some()).map(|job| {
            let variant = job.variant.as_ref().map_or_else(String::new, ToString::to_string);
            let place = format!("variant of job {}", job.name);
            self.refuse(place, format_args!("cannot use {variant}: it does not choose among paths"))
        })
    }
    /// Refuses links whose two directions share a bandwidth.
    pub fn full_duplex(&self) -> Option<Fault> {
        self.no_links(Per::Cable, "share one bandwidth between both directions (half duplex)")
    }
    /// Refuses links whose flows share none.
    pub fn shared_links(&self) -> Option<Fault> {
        self.no_links(Per::Flow, "give every flow their whole bandwidth (FATPIPE)")
    }
    fn no_links(&self, per: Per, what: &str) -> Option<Fault> {
        let odd = self.scenario.machine.network.classes_per(per).next()?;
        let sentence = format!("cannot use it: links of class {} {what}", odd.name);
        Some(self.refuse("network", sentence).hint("use the model of flows, which knows such links"))
    }
    /// Refuses a network that is a latency and a bandwidth, without links to look at.
    pub fn some_topology(&self) -> Option<Fault> {
        let structure = self.scenario.machine.network.structure();
        let fault = || self.refuse("network", "cannot use it: no topology is in it, and no links to count");
        (structure.family == "simple")
            .then(|| fault().hint("ask for the time of the model of flows, or take a network with links"))
    }
    /// Refuses collectives in which switches take part.
    pub fn no_switches(&self) -> Option<Fault> {
        let job = self.job(|job| job.workload.schedule().is_some_and(|schedule| schedule.switches > 0))?;
        let sentence = "cannot use it: switches take part, and what they do depends on where each rank is";
        Some(self.refuse(job.workload.label(), sentence).hint("take another algorithm"))
    }
    pub fn no_start(&self) -> Option<Fault> {
        let late = self.job(|job| job.start_s != 0.0)?;
        let sentence = format!("cannot use {} s: it knows no time", late.start_s);
        Some(self.refuse(format!("start of job {}", late.name), sentence))
    }
    pub fn no_repetitions(&self) -> Option<Fault> {
        let repeated = self.job(|job| job.repetitions != 1)?;
        let sentence = format!("cannot use {}: it takes a workload once", repeated.repetitions);
        Some(self.refuse(format!("repetitions of job {}", repeated.name), sentence))
    }
}
